package io.muninn.e2e.programs;

import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Every node in turn writes a variable to a file, whose pages the node before it has changed, and
 * reads the file back into others, of which it holds no page: nothing of it is short, and no system
 * call meets a page that is elsewhere.
 */
public final class FileTransfers implements DsmProgram {
    private static final int LENGTH = 60_000;
    private static final int ROWS = 100;
    private static final int ROUNDS = 3;

    @Shared(Protocol.WRITE_SHARED)
    final LongArray source = LongArray.of(LENGTH);

    @Shared(Protocol.WRITE_SHARED)
    final LongArray copy = LongArray.of(LENGTH);

    @Shared final DoubleMatrix matrix = DoubleMatrix.of(ROWS, LENGTH / ROWS);

    @Override
    public void run(DsmNode node) {
        DsmBarrier turn = node.barrier("turn");
        try {
            Path path = Files.createTempFile("muninn-transfers", "");
            try (FileChannel file =
                    FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                for (int i = 0; i < ROUNDS * node.nodes(); i++) {
                    if (i % node.nodes() == node.id() && node.thread() == 0) {
                        turn(file, i);
                    }
                    turn.await();
                }
            } finally {
                Files.delete(path);
            }
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    private void turn(FileChannel file, int round) throws IOException {
        source.writeTo(file.position(0).truncate(0), 0, LENGTH);
        expect("bytes in the file", file.position(), LENGTH * (long) Long.BYTES);
        copy.readFrom(file.position(0), 0, LENGTH);
        matrix.readFrom(file, 0, 0, LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            expect("source " + i, source.get(i), value(round - 1, i));
            expect("copy " + i, copy.get(i), value(round - 1, i));
            int columns = matrix.columns();
            double element = matrix.get(i / columns, i % columns);
            expect("matrix " + i, Double.doubleToRawLongBits(element), value(round - 1, i));
            source.set(i, value(round, i));
        }
        try {
            copy.readFrom(file, Long.BYTES, 0, LENGTH);
            throw new IllegalStateException("a file that is too short has been read");
        } catch (EOFException _) {
            expect("shifted", copy.get(LENGTH - 2), value(round - 1, LENGTH - 1));
        }
        copy.writeTo(file, 0, 0, LENGTH);
    }

    /** No two rounds agree anywhere; what nobody has stored to yet is 0. */
    private static long value(int round, int index) {
        return round < 0 ? 0 : 1_000_000L * (round + 1) + index;
    }

    private static void expect(String what, long found, long expected) {
        if (found != expected) {
            throw new IllegalStateException(what + " is " + found + ", not " + expected);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.right(ROUNDS * root.nodes() + " turns");
    }
}
