package io.muninn.e2e.programs;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The last node stores to 64 MiB, spread over a region of 4 GiB, says so, and stays until it is
 * told to end by a file.
 */
public final class Resident implements DsmProgram {
    /** What the last node prints when it has stored. */
    public static final String STORED = "stored";

    /** Bytes stored to. */
    public static final long TOUCHED_BYTES = 64L << 20;

    private static final int LENGTH = 1 << 29;
    private static final int PAGE = 4096 / Double.BYTES;
    private static final int PAGES = (int) (TOUCHED_BYTES / 4096);
    private static final int STRIDE = LENGTH / PAGES;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    @Shared(Protocol.WRITE_SHARED)
    private final DoubleArray huge = DoubleArray.of(LENGTH);

    private final Path end;

    public Resident(String[] options) {
        end = Path.of(options[0]);
    }

    @Override
    public void run(DsmNode node) {
        if (node.id() == node.nodes() - 1) {
            for (int i = 0; i < PAGES; i++) {
                huge.set(i * STRIDE + i % PAGE, i + 1);
            }
            System.out.println(STORED);
            while (!Files.exists(end)) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
        node.barrier("end").await();
    }
}
