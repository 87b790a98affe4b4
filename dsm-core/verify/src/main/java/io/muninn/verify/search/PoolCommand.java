package io.muninn.verify.search;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.verify.pool.PoolModel;
import io.muninn.verify.pool.PoolProgram;
import io.muninn.verify.pool.PoolViolation;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code dsm sim pool}: all states of small programs over a pool. */
@Command(
        name = "pool",
        description = {
            "Searches all states of small programs over memory that all nodes address.",
            "Runs the code of the coherent map, with one atomic operation at a time."
        },
        footer = {"", "Exit status: 0 no violation, 1 otherwise, 2 wrong usage."},
        mixinStandardHelpOptions = true)
final class PoolCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        long all = 0;
        for (PoolProgram program : PoolProgram.ALL) {
            try {
                int states = new PoolModel(program).search();
                out.printf(Locale.ROOT, "%10d states  %s%n", states, program.name());
                out.flush();
                all += states;
            } catch (PoolViolation violation) {
                out.printf(
                        Locale.ROOT, "violation: %s: %s%n", program.name(), violation.getMessage());
                return ExitStatus.FAILED;
            }
        }
        out.printf(Locale.ROOT, "%10d states of %d programs%n", all, PoolProgram.ALL.size());
        return ExitStatus.OK;
    }
}
