package io.muninn.transport.loop;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The end of an agent whose heap is full. Its loop cannot continue without memory, and
 * applications, launcher and other agents would wait for it.
 */
final class FullHeap {
    private static final int FAILURE = 1;

    /** Made in time: there is no memory for a text at the end. */
    private final byte[] reason =
            """
            muninn: the agent has no memory left; its tables take about 50 bytes for a page of a \
            node: let the program share less, or run fewer nodes on this host
            """
                    .getBytes(StandardCharsets.US_ASCII);

    private final FileOutputStream standardError = new FileOutputStream(FileDescriptor.err);

    /** Ends the process and prints the reason. */
    void end() {
        try {
            standardError.write(reason);
        } catch (IOException closed) {
            // nobody reads it
        } finally {
            Runtime.getRuntime().halt(FAILURE);
        }
    }
}
