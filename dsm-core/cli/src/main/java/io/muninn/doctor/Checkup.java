package io.muninn.doctor;

import io.muninn.agent.memory.EngineChoice;
import io.muninn.agent.memory.EngineTrial;
import io.muninn.agent.memory.Engines;
import java.util.List;
import java.util.Optional;

/**
 * The results of {@code dsm doctor}.
 *
 * @param machine limits, tools and settings
 * @param trials every engine with every way to set it up, best first
 * @param choice the engine that {@code --engine auto} chooses; empty if none works
 * @param choiceNanos duration of the choice
 * @param runs programs that were run; empty unless this was requested
 */
public record Checkup(
        List<Finding> machine,
        List<EngineTrial> trials,
        Optional<EngineChoice> choice,
        long choiceNanos,
        List<SmokeRun> runs) {
    public Checkup {
        machine = List.copyOf(machine);
        trials = List.copyOf(trials);
        runs = List.copyOf(runs);
    }

    /**
     * Examines this machine and tries the engines. Takes less than a second unless something is
     * wrong.
     *
     * @param memoryBytes memory of this machine, or of this process's container
     */
    public static Checkup ofThisMachine(long memoryBytes) {
        List<EngineTrial> trials = Engines.tryAll();
        long start = System.nanoTime();
        Optional<EngineChoice> choice = choose();
        long nanos = System.nanoTime() - start;
        return new Checkup(
                new MachineLimits(memoryBytes).findings(), trials, choice, nanos, List.of());
    }

    /** The same with runs of programs. */
    public Checkup with(List<SmokeRun> made) {
        return new Checkup(machine, trials, choice, choiceNanos, made);
    }

    private static Optional<EngineChoice> choose() {
        try {
            return Optional.of(Engines.choose(Engines.AUTO));
        } catch (IllegalArgumentException nothingWorks) {
            return Optional.empty(); // the trials have the reasons
        }
    }

    /** True if programs can run here, and none that was run has failed. */
    public boolean isGood() {
        return choice.isPresent()
                && runs.stream().noneMatch(each -> each.result() == SmokeRun.Result.FAILED)
                && machine.stream().noneMatch(each -> each.level() == Finding.Level.BAD);
    }
}
