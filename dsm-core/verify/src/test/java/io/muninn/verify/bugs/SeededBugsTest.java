package io.muninn.verify.bugs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every bug of {@code seeded-bugs.txt} is found, and the document names the checker and the number
 * of seeds. Rewrites the document's table with {@code -Drewrite=true}.
 *
 * <p>By default every bug must fit its source, and the first bug of each package is run with the
 * seed that the document names. The tests that run all bugs, and that check that no earlier seed
 * finds them, are tagged slow: most of their seeds are spent on a few rare bugs.
 */
class SeededBugsTest {
    private static final int SEEDS_MAX = 6_000; // all but a few are found by the first hundred
    private static final int BUGS_MIN = 30;
    private static final int WORKERS = 2;
    private static final double NANOS_PER_SECOND = 1e9;

    private static final Path DOCUMENT = Path.of("../../docs/SEEDED-BUGS.md");
    private static final String NOBODY = "nobody";
    private static final String HEAD =
            "| bug | what is wrong | caught by | seeds |\n| --- | --- | --- | --- |\n";
    private static final String BEGIN = "<!-- seeded bugs: begin -->\n";
    private static final String END = "<!-- seeded bugs: end -->\n";

    /** How a bug was found. */
    private record Caught(SeededBug bug, String checker, long seeds) {
        String row() {
            return "| `"
                    + bug.name()
                    + "` | "
                    + bug.what()
                    + " | "
                    + checker
                    + " | "
                    + seeds
                    + " |";
        }
    }

    /** Runs a bug from its first seed to its last. */
    private interface Hunt {
        Caught of(SeededBug bug) throws ReflectiveOperationException;
    }

    @Test
    void everySeededBug_fitsItsSource() {
        List<SeededBug> bugs = SeededBugs.read();
        assertTrue(bugs.size() >= BUGS_MIN, bugs.size() + " bugs");
        bugs.forEach(BuggyClasses::mutated);
    }

    @Test
    void oneBugOfEachPackage_isCaughtBySeedAndCheckerOfTheDocument() throws Exception {
        Set<Path> seen = new HashSet<>();
        assertCaughtAsTheDocumentSays(
                SeededBugs.read().stream()
                        .filter(bug -> seen.add(Path.of(bug.file()).getParent()))
                        .toList());
    }

    @Test
    @Tag("slow")
    void everySeededBugIsCaught_bySeedAndCheckerOfTheDocument() throws Exception {
        List<SeededBug> bugs = SeededBugs.read();
        if (Boolean.getBoolean("rewrite")) {
            rewrite(table(hunt(bugs, bug -> hunt(bug, 1, SEEDS_MAX))));
        }
        assertCaughtAsTheDocumentSays(bugs);
        assertEquals(
                bugs.stream().map(SeededBug::name).toList(),
                List.copyOf(rowsOfTheDocument().keySet()));
    }

    private static void assertCaughtAsTheDocumentSays(List<SeededBug> bugs) throws Exception {
        Map<String, String> rows = rowsOfTheDocument();
        List<Caught> caught =
                hunt(
                        bugs,
                        bug -> {
                            long seed = seed(rows.getOrDefault(bug.name(), "1"));
                            return hunt(bug, seed, seed);
                        });

        StringBuilder documented = new StringBuilder(HEAD);
        bugs.forEach(
                bug -> documented.append(rows.getOrDefault(bug.name(), bug.name())).append('\n'));
        compare(documented.toString(), table(caught));
    }

    @Test
    @Tag("slow")
    void everySeededBugIsCaught_byNoSeedBefore() throws Exception {
        compare(
                tableOfTheDocument(),
                table(hunt(SeededBugs.read(), bug -> hunt(bug, 1, SEEDS_MAX))));
    }

    private static String table(List<Caught> bugs) {
        List<String> escaped =
                bugs.stream()
                        .filter(caught -> caught.checker().equals(NOBODY))
                        .map(caught -> caught.bug().name())
                        .toList();
        assertEquals(List.of(), escaped, "not found; does -Drewrite=true find other seeds?");
        StringBuilder table = new StringBuilder(HEAD);
        bugs.forEach(caught -> table.append(caught.row()).append('\n'));
        return table.toString();
    }

    /**
     * Searches for some bugs, by name, with {@code args[1]} seeds at most from {@code args[0]} on,
     * one after another; for all bugs if none is named. Prints for each the processor time until it
     * is found, compilers and collectors included.
     */
    public static void main(String[] args) throws ReflectiveOperationException {
        List<String> names = List.of(args).subList(2, args.length);
        long first = Long.parseLong(args[0]);
        long last = first + Long.parseLong(args[1]) - 1;
        long allNanos = 0;
        for (SeededBug bug : SeededBugs.read()) {
            if (names.isEmpty() || names.contains(bug.name())) {
                long beginNanos = processorNanos();
                Caught caught = hunt(bug, first, last);
                long tookNanos = processorNanos() - beginNanos;
                allNanos += tookNanos;
                System.out.printf(
                        Locale.ROOT, "%8.2f s %s%n", tookNanos / NANOS_PER_SECOND, caught.row());
            }
        }
        System.out.printf(Locale.ROOT, "%8.2f s of processors%n", allNanos / NANOS_PER_SECOND);
    }

    private static long processorNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static List<Caught> hunt(List<SeededBug> bugs, Hunt hunt)
            throws InterruptedException, ExecutionException {
        List<Caught> all = new ArrayList<>();
        try (ExecutorService workers = Executors.newFixedThreadPool(WORKERS)) {
            List<Future<Caught>> running = new ArrayList<>();
            for (SeededBug bug : bugs) {
                running.add(workers.submit(() -> hunt.of(bug)));
            }
            for (Future<Caught> each : running) {
                all.add(each.get());
            }
        }
        return all;
    }

    private static Caught hunt(SeededBug bug, long first, long last)
            throws ReflectiveOperationException {
        MethodHandle trial =
                MethodHandles.lookup()
                        .findStatic(
                                BuggyClasses.with(bug).loadClass(BuggyRun.class.getName()),
                                "checkerThatFires",
                                MethodType.methodType(
                                        String.class,
                                        long.class,
                                        boolean.class,
                                        String.class,
                                        String.class));
        for (long seed = first; seed <= last; seed++) {
            String checker = run(trial, seed, bug);
            if (!checker.isEmpty()) {
                return new Caught(bug, checker, seed);
            }
        }
        return new Caught(bug, NOBODY, last + 1);
    }

    private static String run(MethodHandle trial, long seed, SeededBug bug) {
        try {
            return (String)
                    trial.invokeExact(
                            seed, bug.needsRaceChecks(), bug.look().name(), bug.program());
        } catch (Throwable impossible) {
            throw new AssertionError("a trial throws nothing", impossible);
        }
    }

    /** By name of the bug, in the document's order. */
    private static Map<String, String> rowsOfTheDocument() throws IOException {
        Map<String, String> rows = new LinkedHashMap<>();
        for (String row : tableOfTheDocument().lines().skip(HEAD.lines().count()).toList()) {
            rows.put(row.split(" \\| ")[0].replaceAll("[|` ]", ""), row);
        }
        return rows;
    }

    /** The text of the last cell of a row. */
    private static long seed(String row) {
        String[] cells = row.split(" \\| ");
        return Long.parseLong(cells[cells.length - 1].replaceAll("[| ]", ""));
    }

    private static String tableOfTheDocument() throws IOException {
        String document = Files.readString(DOCUMENT);
        return document.substring(document.indexOf(BEGIN) + BEGIN.length(), document.indexOf(END));
    }

    private static void rewrite(String table) throws IOException {
        Files.writeString(
                DOCUMENT, Files.readString(DOCUMENT).replace(tableOfTheDocument(), table));
    }

    private static void compare(String documented, String table) {
        assertEquals(
                documented,
                table,
                "the table in " + DOCUMENT + " is stale; run this test with -Drewrite=true");
    }
}
