package io.muninn.verify.search;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.coherence.ProtocolKind;
import io.muninn.verify.program.Litmus;
import io.muninn.verify.program.LitmusRun;
import io.muninn.verify.program.LitmusTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** Runs every litmus test with every protocol in every style, and checks the outcomes. */
final class LitmusTrials {
    /** Number of runs of a test after which an interesting outcome is considered unreachable. */
    private static final int RUNS_MAX = 5_000;

    private final Predicate<ProtocolKind> tested;
    private final PrintWriter out;

    /**
     * @param tested which protocols to test
     */
    LitmusTrials(Predicate<ProtocolKind> tested, PrintWriter out) {
        this.tested = tested;
        this.out = out;
    }

    /**
     * Runs the tests and prints the outcomes.
     *
     * @param runsMin least number of runs of each test
     * @return one of {@link ExitStatus}
     */
    int run(int runsMin) {
        List<String> broken = new ArrayList<>();
        int tests = 0;
        long runs = 0;
        for (Litmus litmus : Litmus.ALL) {
            out.println(LitmusTable.heading(litmus));
            for (LitmusRun run : LitmusTable.runs(litmus)) {
                if (!tested.test(run.kind())) {
                    continue;
                }
                LitmusRun.Seen seen = run.explore(runsMin, Math.max(runsMin, RUNS_MAX));
                broken.addAll(run.broken(seen));
                tests++;
                runs += seen.runs();
                out.println("    " + LitmusTable.row(litmus, run, seen));
                out.flush();
            }
        }
        out.printf(
                Locale.ROOT,
                "%d tests, %d runs: %s%n",
                tests,
                runs,
                broken.isEmpty()
                        ? "every outcome is allowed, and every expected one was seen"
                        : broken.size() + " statements broken");
        out.println("marks: ~ an outcome that one memory never shows; ! one that is not allowed");
        broken.forEach(out::println);
        out.flush();
        return broken.isEmpty() ? ExitStatus.OK : ExitStatus.FAILED;
    }
}
