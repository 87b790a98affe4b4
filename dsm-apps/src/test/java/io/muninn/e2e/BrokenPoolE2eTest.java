package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.e2e.MarkedProcesses.Role;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The words of a pool's map are overwritten while a program runs. A value that no node writes ends
 * the run, which names page, variable, node and word. Any others end it so, or do no harm, or hide
 * a notice, which the program's verification finds; no run hangs. Random values are tagged slow.
 */
@Tag("e2e")
class BrokenPoolE2eTest {
    private static final int NODE_LOST = 3;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int SEEDS = 40;
    private static final int OVERWRITTEN_MAX = 2000; // words of a run

    private static final List<String> PROGRAMS =
            List.of(
                    "sor --size 256 --steps 150",
                    "diff --rows 128 --columns 256 --sweeps 800",
                    "tsp-f --cities 12 --threshold 8");

    private static final List<String> SHAPES =
            List.of(
                    " --engine uffd+signal",
                    " --engine mprotect+signal",
                    " --engine uffd+event",
                    " --engine uffd+signal --weak-transition immediate",
                    " --engine uffd+signal --weak-notices publish --weak-unsafe-after 0");

    /** The words of a page in the map. */
    private enum Word {
        MAPPERS,
        WRITERS,
        STALE,
        HISTORY
    }

    /** The pool of a run, as its agent has it open. */
    private record Pool(Path file, long pages, int nodes) {
        private static final long PAGES = 16; // of its header
        private static final long NODES = 32;
        private static final long WORDS = 4096; // behind it
        private static final int WORDS_OF_PAGE = Word.values().length;

        /** Pages that are searched; the programs have fewer. */
        private static final int FIRST_PAGES = 1024;

        static Optional<Pool> find(DsmRun run) {
            return run.processes()
                    .find(Role.AGENT, 0)
                    .flatMap(agent -> MemoryFiles.find(agent, "muninn-pool"))
                    .flatMap(Pool::open);
        }

        /** Empty before the header is written. */
        private static Optional<Pool> open(Path file) {
            try (RandomAccessFile words = new RandomAccessFile(file.toFile(), "r")) {
                words.seek(PAGES);
                long pages = Long.reverseBytes(words.readLong());
                words.seek(NODES);
                int nodes = Integer.reverseBytes(words.readInt());
                return pages == 0 ? Optional.empty() : Optional.of(new Pool(file, pages, nodes));
            } catch (IOException ended) {
                return Optional.empty();
            }
        }

        long word(long page, Word which) {
            return WORDS_OF_PAGE * page + which.ordinal();
        }

        /** A word of the weak list of a node. */
        long listed(int node, Random random) {
            long leaves = Math.ceilDiv(pages, Long.SIZE);
            long summaries = Math.ceilDiv(leaves, Long.SIZE);
            long list = WORDS_OF_PAGE * pages + node * (summaries + leaves);
            boolean isSummary = random.nextInt(4) == 0;
            return list + (isSummary ? 0 : summaries + random.nextInt(FIRST_PAGES / Long.SIZE));
        }

        /** Pages with mappers; none if the agent has ended. */
        long[] used() {
            return LongStream.range(0, Math.min(pages, FIRST_PAGES))
                    .filter(page -> get(word(page, Word.MAPPERS)) != 0)
                    .toArray();
        }

        /** A word, or 0 if the agent has ended. */
        long get(long word) {
            try (RandomAccessFile words = new RandomAccessFile(file.toFile(), "r")) {
                words.seek(WORDS + Long.BYTES * word);
                return Long.reverseBytes(words.readLong());
            } catch (IOException ended) {
                return 0;
            }
        }

        /** Overwrites a word, if the agent has not ended. */
        void set(long word, long value) {
            try (RandomAccessFile words = new RandomAccessFile(file.toFile(), "rw")) {
                words.seek(WORDS + Long.BYTES * word);
                words.writeLong(Long.reverseBytes(value));
            } catch (IOException ended) {
                // the run shows why
            }
        }
    }

    private static DsmRun start(String options, String program) {
        return DsmRun.start(
                "run " + DsmRun.QUICK + "-n 2 --pool --protocol weak" + options + " " + program);
    }

    /** Waits until several nodes map a page. */
    private static Pool awaitPool(DsmRun run) {
        MarkedProcesses.awaitUntil(DsmRun.LIMIT, () -> isOver(run) || Pool.find(run).isPresent());
        Pool pool = Pool.find(run).orElseThrow(() -> new AssertionError(run.err()));
        boolean isMapped =
                MarkedProcesses.awaitUntil(
                        DsmRun.LIMIT, () -> isOver(run) || pool.used().length > 0);
        assertTrue(isMapped && !isOver(run), () -> "no page is mapped: " + run.err());
        return pool;
    }

    /** A page that a node maps now; it may leave it soon, and enter it again. */
    private static long awaitUsed(Pool pool) {
        long[] used = pool.used();
        for (long start = System.nanoTime(); used.length == 0; used = pool.used()) {
            assertTrue(System.nanoTime() - start < DsmRun.LIMIT.toNanos(), "no page is mapped");
        }
        return used[0];
    }

    private static boolean isOver(DsmRun run) {
        return !run.process().isAlive();
    }

    @ParameterizedTest
    @CsvSource({
        "MAPPERS, 0x20, uffd+signal, with node 5",
        "HISTORY, 2, mprotect+signal, which no page with at most"
    })
    void valueThatNoNodeWrites_endsTheRunAndIsNamed(
            Word word, String added, String engine, String reason) throws InterruptedException {
        try (DsmRun run = start(" --engine " + engine, "sor --size 256 --steps 2000")) {
            Pool pool = awaitPool(run);
            long page = awaitUsed(pool);
            long at = pool.word(page, word);

            pool.set(at, pool.get(at) & 3 | Long.decode(added)); // of two nodes, or no count

            DsmRun.Result result = run.await(LIMIT).assertStatus(NODE_LOST).assertErr(reason);
            assertNames(result, word);
            assertTrue(result.err().contains("variable '"), result::toString);
        }
    }

    /** Its node keeps an old copy, but sees that it is no mapper, at the end at the latest. */
    @ParameterizedTest
    @CsvSource({"0, uffd+signal", "1, mprotect+signal"})
    void forgottenMapper_endsTheRunAndIsNamed(int node, String engine) throws InterruptedException {
        try (DsmRun run = start(" --engine " + engine, "sor --size 256 --steps 400")) {
            Pool pool = awaitPool(run);
            while (!isOver(run)) { // it may enter pages again
                for (long page : pool.used()) {
                    long at = pool.word(page, Word.MAPPERS);
                    pool.set(at, pool.get(at) & ~(1L << node));
                }
            }

            DsmRun.Result result = run.await(LIMIT).assertStatus(NODE_LOST);
            result.assertErr(", which has a copy"); // or another node, which has entered meanwhile
            assertNames(result, Word.MAPPERS);
        }
    }

    private static void assertNames(DsmRun.Result result, Word word) {
        String name = word.name().toLowerCase(Locale.ROOT);
        result.assertErr(": word '" + name + "' of the pool is 0x");
        assertTrue(
                result.err()
                        .lines()
                        .anyMatch(line -> line.matches(".*page \\d+/\\d+ of variable '.+': .*")),
                result::toString);
    }

    static Stream<Arguments> seeds() {
        return Stream.iterate(0, i -> i + 1)
                .limit(SEEDS)
                .map(i ->
                        Arguments.of(
                                i,
                                SHAPES.get(i % SHAPES.size()),
                                PROGRAMS.get(i % PROGRAMS.size())));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("seeds")
    void randomValues_endTheRunOrDoNoHarm(int seed, String shape, String program)
            throws InterruptedException {
        Random random = new Random(seed);
        try (DsmRun run = start(shape, program)) {
            Pool pool = awaitPool(run);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(1000))); // a moment
            int count = 1 + random.nextInt(random.nextBoolean() ? 3 : OVERWRITTEN_MAX);
            boolean isWild = seed % 2 == 0;
            for (int i = 0; i < count && !isOver(run); i++) {
                overwrite(pool, isWild, random);
            }

            DsmRun.Result result = run.await(LIMIT);
            String context = "seed " + seed + ", " + count + " words: " + result;
            switch (result.status()) {
                case 0 -> assertTrue(result.out().contains("verified: "), context);
                case NODE_LOST ->
                        assertTrue(
                                result.err()
                                        .lines()
                                        .anyMatch(line -> line.matches(".*of the pool.*|.*page.*")),
                                context);
                default -> { // a notice was hidden
                    assertEquals(1, result.status(), context);
                    assertTrue(result.out().contains("WRONG RESULT"), context);
                    assertTrue(!isWild, context);
                }
            }
        }
    }

    /**
     * @param isWild any bits; otherwise one, most often of a node or page that there is
     */
    private static void overwrite(Pool pool, boolean isWild, Random random) {
        long[] used = pool.used();
        if (used.length == 0) {
            return;
        }
        Word[] words = Word.values();
        long page = used[random.nextInt(used.length)];
        long at =
                random.nextInt(3) == 0
                        ? pool.listed(random.nextInt(pool.nodes()), random)
                        : pool.word(page, words[random.nextInt(words.length)]);
        int bits = random.nextInt(8) == 0 ? Long.SIZE : pool.nodes();
        pool.set(at, isWild ? random.nextLong() : pool.get(at) ^ 1L << random.nextInt(bits));
    }
}
