package io.muninn.doctor;

import io.muninn.agent.memory.EngineChoice;
import io.muninn.agent.memory.EngineTrial;
import io.muninn.agent.memory.Engines;
import java.util.List;
import java.util.Optional;

/**
 * All that {@code dsm doctor} has found out.
 *
 * @param machine limits, tools and settings
 * @param trials every engine, tried in every way there is to a userfaultfd, the best first
 * @param choice what {@code --engine auto} takes; empty if nothing works
 * @param choiceNanos how long choosing took
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
     * Looks, and tries; less than a second unless something is wrong.
     *
     * @param memoryBytes of this machine, or of the container around this process
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
            return Optional.empty(); // the trials say why
        }
    }

    /** Whether programs run here. */
    public boolean isGood() {
        return choice.isPresent()
                && machine.stream().noneMatch(each -> each.level() == Finding.Level.BAD);
    }
}
