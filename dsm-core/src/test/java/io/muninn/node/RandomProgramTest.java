package io.muninn.node;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random programs under random orders of delivery. A failure names its seed; to try others, run
 * {@link #main} with a first seed and a count.
 */
class RandomProgramTest {
    private static final int SEEDS = 100;
    private static final int CHOICES_MAX = 400_000;

    @Test
    void randomProgramsWithoutRaces_seeOneMemoryOnEveryNode() {
        long loads = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            loads += runToItsEnd(seed);
        }

        assertTrue(loads > SEEDS, "only " + loads + " loads were compared");
    }

    @Test
    void afterALossAtAnyMoment_noThreadIsLeftWaiting() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            runIntoLoss(seed);
        }
    }

    /** Seeds {@code args[0]} and the {@code args[1]} - 1 that follow. */
    public static void main(String[] args) {
        long first = Long.parseLong(args[0]);
        long count = Long.parseLong(args[1]);
        for (long seed = first; seed < first + count; seed++) {
            runToItsEnd(seed);
            runIntoLoss(seed);
        }
        System.out.println(count + " seeds from " + first + " passed");
    }

    private static long runToItsEnd(long seed) {
        RandomProgram program = new RandomProgram(seed);
        try {
            program.initialize();
            program.write();
            schedule(program, CHOICES_MAX);
            List<FixtureThread> left =
                    program.everyThread().stream().filter(thread -> !thread.isDone()).toList();
            if (!left.isEmpty()) {
                throw new AssertionError("left waiting: " + left);
            }
            program.checkMemory();
            return program.loads();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    private static void runIntoLoss(long seed) {
        RandomProgram program = new RandomProgram(seed);
        try {
            program.initialize();
            program.write();
            schedule(program, program.random().nextInt(2_000));
            program.fixture().lose(program.random().nextInt(program.fixture().nodes().size()));
            schedule(program, CHOICES_MAX);
            checkNobodyWaits(program);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + ", with a loss: " + e.getMessage(), e);
        }
    }

    private static void checkNobodyWaits(RandomProgram program) {
        for (FixtureNode node : program.fixture().nodes()) {
            for (FixtureThread thread : node.threads()) {
                boolean waits =
                        thread.status() == FixtureThread.Status.FAULTED
                                || thread.status() == FixtureThread.Status.WAITING;
                if (waits && !program.fixture().isLost(node.self())) {
                    throw new AssertionError("left waiting: " + thread);
                }
            }
        }
    }

    /** Takes random choices until there are none, or so many are taken. */
    private static void schedule(RandomProgram program, int choicesMax) {
        Random random = program.random();
        KernelFixture fixture = program.fixture();
        int clogs = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(40);
        int tickNanos = 1 + random.nextInt(30_000);
        int threadsLate = random.nextInt(4);
        for (int i = 0; i < choicesMax; i++) {
            if (clogs > 0 && random.nextInt(clogs) == 0) {
                clog(fixture, random);
            }
            List<KernelFixture.Choice> choices = fixture.choices();
            if (choices.isEmpty()) {
                boolean freed = fixture.freeAll();
                if (!freed && !fixture.passToNextTimer()) {
                    return;
                }
                continue;
            }
            KernelFixture.Choice choice = choices.get(random.nextInt(choices.size()));
            if (choice instanceof KernelFixture.Choice.RunThread
                    && random.nextInt(1 + threadsLate) > 0) {
                choice = choices.get(random.nextInt(choices.size()));
            }
            fixture.take(choice);
            fixture.passNanos(random.nextInt(tickNanos));
        }
        if (choicesMax == CHOICES_MAX) {
            throw new AssertionError("no end after " + choicesMax + " choices");
        }
    }

    private static void clog(KernelFixture fixture, Random random) {
        int from = random.nextInt(fixture.nodes().size());
        int to = random.nextInt(fixture.nodes().size());
        if (random.nextInt(3) == 0) {
            fixture.free(from, to);
        } else {
            fixture.hold(from, to);
        }
    }
}
