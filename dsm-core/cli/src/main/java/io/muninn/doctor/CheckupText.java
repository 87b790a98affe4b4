package io.muninn.doctor;

import io.muninn.agent.memory.EngineChoice;
import io.muninn.agent.memory.EngineTrial;
import io.muninn.report.Units;
import java.util.List;
import java.util.Locale;

/** A {@link Checkup} as text for the user. */
public final class CheckupText {
    private static final String NEEDS = "needs ";

    private CheckupText() {}

    /** Returns the text; each line ends with a newline. */
    public static String format(Checkup checkup) {
        StringBuilder text = new StringBuilder("machine\n");
        int width = width(checkup.machine().stream().map(Finding::name).toList());
        for (Finding finding : checkup.machine()) {
            line(text, finding.level().word(), finding.name(), width, finding.value());
            needs(text, finding.needs());
        }
        checkup.trials().forEach(trial -> append(text, trial));
        text.append('\n');
        if (checkup.choice().isPresent()) {
            append(text, checkup.choice().get(), checkup.choiceNanos());
        } else {
            text.append("runs find no engine that works here\n");
        }
        append(text, checkup.runs());
        return text.toString();
    }

    private static void append(StringBuilder text, List<SmokeRun> runs) {
        if (runs.isEmpty()) {
            return;
        }
        int width = width(runs.stream().map(SmokeRun::command).toList());
        text.append('\n');
        for (SmokeRun run : runs) {
            boolean hasRun = run.result() != SmokeRun.Result.SKIPPED;
            String time = hasRun ? Units.nanos(run.nanos()) : "";
            String separator = time.isEmpty() || run.why().isEmpty() ? "" : ", ";
            String value = time + separator + run.why();
            text.append(String.format(Locale.ROOT, "%-9s", run.result().word()))
                    .append(run.command())
                    .append(" ".repeat(width - run.command().length()))
                    .append("  ")
                    .append(value)
                    .append('\n');
        }
    }

    private static void append(StringBuilder text, EngineTrial trial) {
        text.append('\n')
                .append(trial.engine())
                .append(" by ")
                .append(trial.way())
                .append(trial.works() ? ": works" : ": does not work")
                .append('\n');
        int width = width(trial.steps().stream().map(EngineTrial.Step::what).toList());
        for (EngineTrial.Step step : trial.steps()) {
            String word = step.passed() ? "ok" : step.tried() ? "no" : "-";
            String time = step.tried() ? Units.nanos(step.nanos()) : "";
            String value =
                    step.passed() ? time : step.result() + (time.isEmpty() ? "" : ", " + time);
            line(text, word, step.what(), width, value);
            needs(text, step.needs());
        }
    }

    private static void append(StringBuilder text, EngineChoice choice, long nanos) {
        text.append("runs take engine ")
                .append(choice.engine())
                .append(" (")
                .append(choice.why())
                .append("), chosen in ")
                .append(Units.nanos(nanos))
                .append("\nsystem calls that are handed shared memory ")
                .append(
                        choice.systemCallsWait()
                                ? "work with it\n"
                                : "fail with EFAULT or are cut short with it: use writeTo and"
                                        + " readFrom of the views\n");
    }

    private static int width(List<String> names) {
        return names.stream().mapToInt(String::length).max().orElse(0);
    }

    private static void line(
            StringBuilder text, String word, String name, int width, String value) {
        text.append(String.format(Locale.ROOT, "  %-4s  ", word))
                .append(name)
                .append(" ".repeat(width - name.length()))
                .append("  ")
                .append(value)
                .append('\n');
    }

    private static void needs(StringBuilder text, String needs) {
        if (!needs.isEmpty()) {
            text.append(" ".repeat(8)).append(NEEDS).append(needs).append('\n');
        }
    }
}
