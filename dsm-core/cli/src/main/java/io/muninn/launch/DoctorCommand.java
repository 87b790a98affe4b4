package io.muninn.launch;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.doctor.Checkup;
import io.muninn.doctor.CheckupJson;
import io.muninn.doctor.CheckupText;
import io.muninn.launch.option.MachineMemory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
    @Spec private CommandSpec spec;

    @Option(names = "--json", description = "prints one JSON object instead of text")
    private boolean json;

    @Option(
            names = "--all",
            description =
                    "also runs small programs on each engine and in the simulator, in less than a"
                            + " minute")
    private boolean runs;

    @Override
    public Integer call() throws InterruptedException {
        Checkup checkup = Checkup.ofThisMachine(MachineMemory.bytes());
        if (runs) {
            checkup = checkup.with(new SmokeRuns(checkup.trials()).make());
        }
        String text = json ? CheckupJson.format(checkup) : CheckupText.format(checkup);
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
        return checkup.isGood() ? ExitStatus.OK : ExitStatus.FAILED;
    }
}
