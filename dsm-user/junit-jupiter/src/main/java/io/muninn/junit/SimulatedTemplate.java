package io.muninn.junit;

import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import io.muninn.application.ProgramClass;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.Violation;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import io.muninn.sim.delay.MachineModel;
import io.muninn.sim.delay.RandomDelays;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Calls a test method with a simulated cluster, see {@link Simulated}. */
final class SimulatedTemplate implements TestTemplateInvocationContextProvider {
    /** Speeds of a load or store, from a usual one to that of a thread that hardly runs. */
    private static final long ACCESS_PICOS_MIN = 500;

    private static final long ACCESS_PICOS_MAX = 500_000_000;

    /**
     * How long a node keeps a page that it has just obtained, beyond the longest wake-up: otherwise
     * threads could lose a page again and again before they use it.
     */
    private static final int HOLD_NANOS_MAX = 200_000;

    /** The longest time that stores stay unflushed after a release inside a node, as live. */
    private static final long FLUSH_NANOS_MAX = 1_000_000;

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return context.getRequiredTestMethod().isAnnotationPresent(Simulated.class);
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
            ExtensionContext context) {
        Simulated wanted = context.getRequiredTestMethod().getAnnotation(Simulated.class);
        String seed = System.getProperty(Simulated.SEED_PROPERTY);
        Seeds seeds = seed == null ? new Seeds(0, wanted.seeds()) : Seeds.only(seed);
        String test =
                context.getRequiredTestClass().getName()
                        + "#"
                        + context.getRequiredTestMethod().getName();
        return Stream.of(
                new Invocation(
                        wanted.nodes() + " simulated nodes, " + seeds,
                        new Schedules(wanted, seeds, test)));
    }

    /**
     * The seeds of a test.
     *
     * @param first of them
     * @param count at least 1
     */
    private record Seeds(long first, int count) {
        Seeds {
            if (count < 1) {
                throw new IllegalArgumentException("seeds = " + count + " runs none; 1 or more do");
            }
        }

        static Seeds only(String text) {
            try {
                return new Seeds(Long.parseLong(text), 1);
            } catch (NumberFormatException cause) {
                throw new IllegalArgumentException(
                        "-D" + Simulated.SEED_PROPERTY + " is a whole number, not '" + text + "'",
                        cause);
            }
        }

        @Override
        public String toString() {
            return count == 1 ? "seed " + first : count + " seeds";
        }
    }

    /**
     * Runs a program under each seed.
     *
     * @param test class and method, for the command that runs a seed alone
     */
    private record Schedules(Simulated wanted, Seeds seeds, String test) implements TestCluster {
        @Override
        public Verdict run(Class<? extends DsmProgram> program, String... words) {
            ProgramClass type =
                    ProgramClass.find(program.getName(), program.getClassLoader())
                            .orElseThrow(() ->
                                    new IllegalArgumentException(
                                            "the class loader of "
                                                    + program.getName()
                                                    + " does not find it"));
            Verdict verdict = Verdict.unchecked();
            for (int i = 0; i < seeds.count(); i++) {
                verdict = run(type, List.of(words), seeds.first() + i);
            }
            return verdict;
        }

        private Verdict run(ProgramClass type, List<String> words, long seed) {
            List<String> races = new ArrayList<>();
            AppRun run =
                    scheduled(
                                    AppRun.of(() -> type.create(words), wanted.nodes()),
                                    seed,
                                    wanted.nodes())
                            .threads(wanted.threads());
            if (wanted.checkRaces()) {
                run.checkRaces().observers(List.of(collector(races)));
            }
            AppResult result;
            try {
                result = run.run();
            } catch (Violation violation) {
                throw failed(seed, String.valueOf(violation.getMessage()), violation);
            }
            if (result.failure().isPresent()) {
                AppResult.Failure failure = result.failure().get();
                throw failed(seed, failure.text().strip(), failure.cause().orElse(null));
            }
            if (!result.isGood()) {
                throw failed(seed, "wrong result: " + result.verdict().detail(), null);
            }
            if (!races.isEmpty()) {
                throw failed(seed, "race: " + races.getFirst(), null);
            }
            return result.verdict();
        }

        /**
         * Draws what decides over the order of actions: all delays, how long a node keeps a page,
         * and the speed of loads and stores, between which a slow thread loses its pages.
         */
        private static AppRun scheduled(AppRun run, long seed, int nodes) {
            Random random = new Random(seed);
            RandomDelays delays = new RandomDelays(random, new Random(~seed), nodes);
            long accessPicos =
                    random.nextBoolean()
                            ? MachineModel.LOOPBACK.accessPicos()
                            : RandomDelays.logUniform(random, ACCESS_PICOS_MIN, ACCESS_PICOS_MAX);
            return run.model(MachineModel.LOOPBACK.withAccessPicos(accessPicos))
                    .delays(delays)
                    .holdNanos(delays.wakeNanosMax() + 1 + random.nextInt(HOLD_NANOS_MAX))
                    .flushDelayNanos(RandomDelays.logUniform(random, 1, FLUSH_NANOS_MAX));
        }

        private static Observer collector(List<String> races) {
            return new Observer() {
                @Override
                public void onRace(PageId page, int offset, String text, boolean isCertain) {
                    if (isCertain) {
                        races.add(text);
                    }
                }
            };
        }

        private AssertionError failed(long seed, String text, @Nullable Throwable cause) {
            return new AssertionError(
                    "seed "
                            + seed
                            + ": "
                            + text
                            + "\nThis schedule again: mvn test -Dtest='"
                            + test
                            + "' -D"
                            + Simulated.SEED_PROPERTY
                            + "="
                            + seed,
                    cause);
        }
    }
}
