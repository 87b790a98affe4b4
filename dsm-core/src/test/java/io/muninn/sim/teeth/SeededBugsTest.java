package io.muninn.sim.teeth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Teeth: every bug of {@code seeded-bugs.txt} is found, and the document says by which checker and
 * after how many seeds. Rewrites the document's table with {@code -Drewrite=true}.
 */
class SeededBugsTest {
    private static final int SEEDS_MAX = 300;
    private static final int BUGS_MIN = 30;
    private static final int WORKERS = 2;

    private static final Path DOCUMENT = Path.of("../docs/SIMULATOR.md");
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

    @Test
    void everySeededBugIsCaught_asTheDocumentSays() throws Exception {
        List<SeededBug> bugs = SeededBugs.read();
        assertTrue(bugs.size() >= BUGS_MIN, bugs.size() + " bugs");
        List<String> escaped = new ArrayList<>();
        StringBuilder table = new StringBuilder();
        table.append("| bug | what is wrong | caught by | seeds |\n| --- | --- | --- | --- |\n");
        for (Caught caught : hunt(bugs)) {
            if (caught.seeds() > SEEDS_MAX) {
                escaped.add(caught.bug().name());
            }
            table.append(caught.row()).append('\n');
        }

        assertEquals(List.of(), escaped);
        compare(table.toString());
    }

    /** Hunts some bugs, by name, with {@code args[0]} seeds at most. */
    public static void main(String[] args) throws ReflectiveOperationException {
        List<String> names = List.of(args);
        for (SeededBug bug : SeededBugs.read()) {
            if (names.contains(bug.name())) {
                System.out.println(hunt(bug, Long.parseLong(args[0])).row());
            }
        }
    }

    private static List<Caught> hunt(List<SeededBug> bugs)
            throws InterruptedException, ExecutionException {
        List<Caught> all = new ArrayList<>();
        try (ExecutorService workers = Executors.newFixedThreadPool(WORKERS)) {
            List<Future<Caught>> running = new ArrayList<>();
            for (SeededBug bug : bugs) {
                running.add(workers.submit(() -> hunt(bug, SEEDS_MAX)));
            }
            for (Future<Caught> each : running) {
                all.add(each.get());
            }
        }
        return all;
    }

    private static Caught hunt(SeededBug bug, long seedsMax) throws ReflectiveOperationException {
        MethodHandle trial =
                MethodHandles.lookup()
                        .findStatic(
                                BuggyClasses.with(bug).loadClass(BuggyTrial.class.getName()),
                                "checkerThatFires",
                                MethodType.methodType(String.class, long.class, boolean.class));
        for (long seed = 1; seed <= seedsMax; seed++) {
            String checker = run(trial, seed, bug.needsRaceChecks());
            if (!checker.isEmpty()) {
                return new Caught(bug, checker, seed);
            }
        }
        return new Caught(bug, "nobody", seedsMax + 1);
    }

    private static String run(MethodHandle trial, long seed, boolean checksRaces) {
        try {
            return (String) trial.invokeExact(seed, checksRaces);
        } catch (Throwable impossible) {
            throw new AssertionError("a trial throws nothing", impossible);
        }
    }

    private static void compare(String table) throws IOException {
        String document = Files.readString(DOCUMENT);
        int begin = document.indexOf(BEGIN) + BEGIN.length();
        int end = document.indexOf(END);
        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(
                    DOCUMENT, document.substring(0, begin) + table + document.substring(end));
            return;
        }
        assertEquals(
                document.substring(begin, end),
                table,
                "the table in " + DOCUMENT + " is stale; run this test with -Drewrite=true");
    }
}
