package io.muninn.apps;

import io.muninn.api.DoubleMatrix;
import io.muninn.api.Messages;
import io.muninn.api.Mode;

/**
 * Sends rows of matrices as messages, for message passing versions. Many rows are divided into
 * several messages; sender and receiver divide them in the same way.
 */
public final class Rows {
    /** Target length of a message in bytes, well below {@link Messages#BYTES_MAX}. */
    private static final int PIECE_BYTES = 1 << 20;

    private Rows() {}

    /** Sends rows {@code from} to {@code to - 1}; no message if there are none. */
    public static void send(
            Messages messages, int node, int tag, DoubleMatrix matrix, int from, int to) {
        int piece = piece(matrix);
        for (int row = from; row < to; row += piece) {
            int end = Math.min(row + piece, to);
            messages.send(node, tag, matrix.segment(row, end, Mode.READ));
        }
    }

    /** Receives rows {@code from} to {@code to - 1}; no message if there are none. */
    public static void receive(
            Messages messages, int node, int tag, DoubleMatrix matrix, int from, int to) {
        int piece = piece(matrix);
        for (int row = from; row < to; row += piece) {
            int end = Math.min(row + piece, to);
            messages.receive(node, tag, matrix.segment(row, end, Mode.WRITE));
        }
    }

    private static int piece(DoubleMatrix matrix) {
        return Math.max(1, PIECE_BYTES / Double.BYTES / matrix.columns());
    }
}
