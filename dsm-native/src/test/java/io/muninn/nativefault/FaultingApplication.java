package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * An application in a JVM, for tests of what a JVM adds: its collections, its own signals, and the
 * exceptions of its threads. Arguments: socket, token in hexadecimal, node, loss in milliseconds,
 * region bytes, control bytes, offset of the watch word, engine. Then, per line of its input,
 * {@code LABEL VERB OFFSET [VALUE]}: one access in a thread of its own, answered by {@code LABEL
 * RESULT}. {@code page_threads.c} is the same without a JVM.
 */
final class FaultingApplication {
    private static final VarHandle LONG = JAVA_LONG.varHandle();
    private static final int INCREMENTS_PER_COLLECTION = 40;
    static final int COLLECTIONS_MIN = 100;

    private FaultingApplication() {}

    public static void main(String[] arguments) throws IOException {
        ApplicationMapping mapping =
                ApplicationMapping.open(
                        new ApplicationMapping.Shape(
                                EngineKind.named(arguments[7]).orElseThrow(),
                                1,
                                Long.parseLong(arguments[4]),
                                Long.parseLong(arguments[5]),
                                Long.parseLong(arguments[6])));
        try {
            mapping.attach(
                    arguments[0],
                    HexFormat.of().parseHex(arguments[1]),
                    Integer.parseInt(arguments[2]),
                    Long.parseLong(arguments[3]));
        } catch (AttachRefusedException refusal) {
            System.out.println(refusal.getMessage());
            System.exit(1);
        }
        System.out.println("attached " + mapping.way());
        BufferedReader input =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ");
            Thread.ofPlatform().daemon().start(() -> run(mapping, words));
        }
    }

    private static void run(ApplicationMapping mapping, String[] words) {
        String result;
        try {
            long value = words.length > 3 ? Long.parseLong(words[3]) : 0;
            result = access(mapping, words[1], Long.parseLong(words[2]), value);
        } catch (InternalError poisoned) {
            result = "InternalError";
        }
        System.out.println(words[0] + " " + result);
    }

    private static String access(ApplicationMapping mapping, String verb, long at, long value) {
        MemorySegment region = mapping.region();
        switch (verb) {
            case "get":
                return Long.toString((long) LONG.getVolatile(region, at));
            case "put":
                LONG.setVolatile(region, at, value);
                return "stored";
            case "silence":
                mapping.allowSilence(at);
                return "allowed";
            case "storm":
                return storm(region, (int) at, value);
            case "signals":
                return signals(mapping, at, (int) value);
            default:
                throw new IllegalArgumentException(verb);
        }
    }

    /** Makes the JVM use its own signals, between stores to the page. */
    private static String signals(ApplicationMapping mapping, long at, int most) {
        MemorySegment region = mapping.region();
        int nulls = 0;
        int overflows = 0;
        int cuts = 0;
        int rounds = 0;
        for (; rounds < most && (long) LONG.getVolatile(mapping.control(), 0L) == 0; rounds++) {
            region.set(JAVA_LONG, at, region.get(JAVA_LONG, at) + 1);
            try {
                nulls += length(rounds % 4 == 0 ? null : "x");
            } catch (NullPointerException implicit) {
                nulls++;
            }
            if (rounds % 1000 == 0) {
                overflows += depth(0);
                cuts += cutFile();
            }
        }
        return rounds + " " + nulls + " " + overflows + " " + cuts;
    }

    private static int length(@Nullable String text) {
        return text.length() - 1;
    }

    private static int depth(int caller) {
        try {
            return depth(caller + 1);
        } catch (StackOverflowError expected) {
            return 1;
        }
    }

    /** A load from a mapped file that was cut is an error, not the end of the process. */
    private static int cutFile() {
        try {
            Path path = Files.createTempFile("muninn", "cut");
            try (FileChannel file = FileChannel.open(path, WRITE, READ, DELETE_ON_CLOSE)) {
                MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, 1 << 16);
                file.truncate(0);
                mapped.get(1 << 15);
                return 0;
            } catch (InternalError expected) {
                return 1;
            }
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    /**
     * Increments words on random pages while another thread forces collections at their pace, until
     * there were enough of both, regardless of the load of the machine.
     */
    private static String storm(MemorySegment region, int pages, long increments) {
        Semaphore due = new Semaphore(0);
        Thread collector = Thread.ofPlatform().daemon().start(() -> collect(due));
        long before = collections();
        long random = 42;
        long done = 0;
        boolean enough = false;
        for (; done < increments || !enough; done++) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            long at = (random >>> 33) % pages * ApplicationMapping.pageBytes();
            if ((long) LONG.getVolatile(region, at) >= 0) {
                LONG.getAndAdd(region, at, 1L);
            }
            if (done % INCREMENTS_PER_COLLECTION == 0) {
                due.release();
                enough = collections() - before >= COLLECTIONS_MIN;
            }
        }
        collector.interrupt();
        long sum = 0;
        for (int page = 0; page < pages; page++) {
            sum += (long) LONG.getVolatile(region, (long) page * ApplicationMapping.pageBytes());
        }
        return sum + " " + done + " " + (collections() - before);
    }

    private static void collect(Semaphore due) {
        byte[][] garbage = new byte[16][];
        try {
            for (int i = 0; true; i++) {
                garbage[i % garbage.length] = new byte[1 << 20];
                if (i % 8 == 0) {
                    due.acquire();
                    due.drainPermits();
                    System.gc();
                }
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }
}
