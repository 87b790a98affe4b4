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
 */
public record Checkup(
        List<Finding> machine,
        List<EngineTrial> trials,
        Optional<EngineChoice> choice,
        long choiceNanos) {
    public Checkup {
        machine = List.copyOf(machine);
        trials = List.copyOf(trials);
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
        return new Checkup(new MachineLimits(memoryBytes).findings(), trials, choice, nanos);
    }

    private static Optional<EngineChoice> choose() {
        try {
            return Optional.of(Engines.choose(Engines.AUTO));
        } catch (IllegalArgumentException nothingWorks) {
            return Optional.empty(); // the trials have the reasons
        }
    }

    /** True if programs can run here. */
    public boolean isGood() {
        return choice.isPresent()
                && machine.stream().noneMatch(each -> each.level() == Finding.Level.BAD);
    }
}
