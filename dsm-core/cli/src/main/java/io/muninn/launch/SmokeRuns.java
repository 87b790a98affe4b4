package io.muninn.launch;

import io.muninn.agent.memory.EngineTrial;
import io.muninn.doctor.SmokeRun;
import io.muninn.doctor.SmokeRun.Result;
import io.muninn.launch.process.LiveRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The runs of {@code dsm doctor --all}: the smallest program, one whose result is compared with
 * that of a sequential program on each engine, and the same in the simulator. A run is ended when
 * it has taken half of the time for all; the last are skipped if none is left.
 */
final class SmokeRuns {
    private static final Pattern OURS = Pattern.compile("dsm |node \\d+: |WRONG RESULT");
    private static final String PROGRAM = "diff --rows 64 --columns 64 --sweeps 3";

    private final List<EngineTrial> trials;
    private final Duration limit;

    /**
     * @param trials every engine, with every way to set it up
     * @param limit time of one run, after which it has failed
     */
    SmokeRuns(List<EngineTrial> trials, Duration limit) {
        this.trials = List.copyOf(trials);
        this.limit = limit;
    }

    /** Makes all runs, one after another. */
    List<SmokeRun> make() throws InterruptedException {
        List<SmokeRun> made = new ArrayList<>();
        boolean works = trials.stream().anyMatch(EngineTrial::works);
        made.add(works ? run("run -n 2 hello") : skipped("run -n 2 hello", "no engine works here"));
        for (String engine : trials.stream().map(EngineTrial::engine).distinct().toList()) {
            String words = "run -n 2 --engine " + engine + " " + PROGRAM;
            made.add(works(engine) ? run(words) : skipped(words, reason(engine)));
        }
        made.add(run("sim -n 4 " + PROGRAM));
        return made;
    }

    private boolean works(String engine) {
        return trials.stream().anyMatch(each -> each.engine().equals(engine) && each.works());
    }

    /** The step at which each way to set up an engine failed. */
    private String reason(String engine) {
        return trials.stream()
                .filter(each -> each.engine().equals(engine))
                .map(SmokeRuns::failure)
                .distinct()
                .collect(Collectors.joining("; ", "does not work here: ", ""));
    }

    private static String failure(EngineTrial trial) {
        return trial.steps().stream()
                .filter(step -> step.tried() && !step.passed())
                .findFirst()
                .map(step -> trial.way() + ": " + step.what() + ": " + step.result())
                .orElse(trial.way());
    }

    private SmokeRun run(String words) throws InterruptedException {
        long begun = System.nanoTime();
        LiveRun run = LiveRun.within(limit, Arrays.asList(words.split(" ")));
        long nanos = System.nanoTime() - begun;
        String command = Main.NAME + " " + words;
        if (run.isGood()) {
            return new SmokeRun(command, Result.OK, "", nanos);
        }
        boolean isLate = nanos >= limit.toNanos();
        String why = isLate ? "not finished after this time; --seconds gives more" : reason(run);
        return new SmokeRun(command, Result.FAILED, why, nanos);
    }

    /** What our processes have said, in the first line; what others have, if ours said nothing. */
    private static String reason(LiveRun run) {
        List<String> lines = run.output().lines().filter(line -> !line.isBlank()).toList();
        return lines.stream()
                .filter(line -> OURS.matcher(line).lookingAt())
                .findFirst()
                .or(() -> lines.stream().findFirst())
                .orElse("status " + run.status() + " without a word");
    }

    private static SmokeRun skipped(String words, String why) {
        return new SmokeRun(Main.NAME + " " + words, Result.SKIPPED, why, 0);
    }
}
