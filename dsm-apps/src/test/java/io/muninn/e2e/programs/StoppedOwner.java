package io.muninn.e2e.programs;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Shared;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Node 1 stores to every page and prints so. Node 0 stores to them, too, once a file exists, and
 * prints so; meanwhile the process of node 1 may be stopped.
 */
public final class StoppedOwner implements DsmProgram {
    /** Printed by node 1 when it owns every page. */
    public static final String OWNED = "owned";

    /** Printed by node 0 when it has stored to every page. */
    public static final String TAKEN = "taken";

    private static final int PAGE = 4096 / Long.BYTES;
    private static final int PAGES = 50;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    @Shared private final LongArray pages = LongArray.of(PAGES * PAGE);

    private final Path stopped;

    public StoppedOwner(String[] options) {
        stopped = Path.of(options[0]);
    }

    @Override
    public void run(DsmNode node) {
        if (node.id() == 1) {
            storeToAll();
            System.out.println(OWNED);
        } else {
            while (!Files.exists(stopped)) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            storeToAll();
            System.out.println(TAKEN);
        }
        node.barrier("end").await();
    }

    private void storeToAll() {
        for (int i = 0; i < PAGES; i++) {
            pages.set(i * PAGE, pages.get(i * PAGE) + 1);
        }
    }
}
