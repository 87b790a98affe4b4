package io.muninn.launch;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.doctor.Checkup;
import io.muninn.doctor.CheckupJson;
import io.muninn.doctor.CheckupText;
import io.muninn.launch.option.MachineMemory;
import io.muninn.launch.option.Ranges;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dsm doctor}: reports what this machine permits a run, and how to permit more. */
@Command(
        name = "doctor",
        description = "Tries every engine on this machine, and looks at the limits that runs meet.",
        footer = {
            "",
            "Exit status: 0 programs run here; 1 something is BAD, no engine works, or a run has"
                    + " failed; 2 wrong usage."
        },
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    private static final String SECONDS = "--seconds";
    private static final int SECONDS_MAX = 3600;

    @Spec private CommandSpec spec;

    @Option(names = "--json", description = "prints one JSON object instead of text")
    private boolean json;

    @Option(
            names = "--all",
            description =
                    "also runs small programs on each engine and in the simulator, usually in less"
                            + " than a minute")
    private boolean runs;

    @Option(
            names = SECONDS,
            paramLabel = "S",
            defaultValue = "120",
            description = "time limit of each run of --all (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Override
    public Integer call() throws InterruptedException {
        try {
            Ranges.require(SECONDS, seconds, 1, SECONDS_MAX);
            if (!runs && spec.commandLine().getParseResult().hasMatchedOption(SECONDS)) {
                throw new IllegalArgumentException(SECONDS + " means nothing without --all");
            }
        } catch (IllegalArgumentException unusable) {
            throw new ParameterException(spec.commandLine(), unusable.getMessage(), unusable);
        }
        Checkup checkup = Checkup.ofThisMachine(MachineMemory.bytes());
        if (runs) {
            SmokeRuns made = new SmokeRuns(checkup.trials(), Duration.ofSeconds(seconds));
            checkup = checkup.with(made.make());
        }
        String text = json ? CheckupJson.format(checkup) : CheckupText.format(checkup);
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
        return checkup.isGood() ? ExitStatus.OK : ExitStatus.FAILED;
    }
}
