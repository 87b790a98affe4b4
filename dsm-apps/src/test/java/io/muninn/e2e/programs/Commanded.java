package io.muninn.e2e.programs;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Each node performs commands of a test, one file each, and prints when it begins one and when it
 * has done it. Never ends by itself.
 *
 * <p>Commands are {@code load PAGE COUNT}, {@code store PAGE COUNT}, {@code lock} and {@code
 * unlock}.
 */
public final class Commanded implements DsmProgram {
    /** What each node prints once. */
    public static final String UNDER_WAY = "under way";

    private static final int PAGE = 4096 / Long.BYTES;
    private static final int PAGES = 256;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    @Shared(Protocol.WRITE_SHARED)
    private final LongArray pages = LongArray.of(PAGES * PAGE);

    private final Path folder;
    private long loaded; // so that no load is superfluous

    public Commanded(String[] options) {
        folder = Path.of(options[0]);
    }

    /** The file of a node's command, counted from 0. */
    public static String file(int id, int number) {
        return "command-" + id + "-" + number;
    }

    public static String begins(int id, String command) {
        return "node " + id + " begins to " + command;
    }

    public static String hasDone(int id, String command) {
        return "node " + id + " has done: " + command;
    }

    @Override
    public void run(DsmNode node) {
        DsmLock lock = node.lock("lock");
        node.barrier("start").await();
        System.out.println(UNDER_WAY);
        for (int number = 0; ; number++) {
            String command = await(folder.resolve(file(node.id(), number)));
            System.out.println(begins(node.id(), command));
            perform(node.id(), command.split(" "), lock);
            System.out.println(hasDone(node.id(), command));
        }
    }

    private void perform(int id, String[] words, DsmLock lock) {
        switch (words[0]) {
            case "lock" -> lock.lock();
            case "unlock" -> lock.unlock();
            case "load" -> {
                for (int i = 0; i < Integer.parseInt(words[2]); i++) {
                    loaded += pages.get(word(id, words, i));
                }
            }
            case "store" -> {
                for (int i = 0; i < Integer.parseInt(words[2]); i++) {
                    pages.set(word(id, words, i), 1 + pages.get(word(id, words, i)));
                }
            }
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private static int word(int id, String[] words, int i) {
        return (Integer.parseInt(words[1]) + i) * PAGE + id;
    }

    private static String await(Path file) {
        try {
            while (!Files.exists(file)) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            return Files.readString(file);
        } catch (IOException cause) {
            throw new IllegalStateException(cause);
        }
    }
}
