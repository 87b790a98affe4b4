package io.muninn.apps;

import static io.muninn.apps.ProgramsByName.program;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.e2e.programs.Allocates;
import io.muninn.e2e.programs.LockChain;
import io.muninn.e2e.programs.LockedStores;
import io.muninn.e2e.programs.LongMessages;
import io.muninn.e2e.programs.MessageChain;
import io.muninn.e2e.programs.ReadMostly;
import io.muninn.e2e.programs.Relock;
import io.muninn.e2e.programs.ShippedCallPromises;
import io.muninn.sim.Disruptions;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.sim.processor.ProcessorReport;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.UpdateRules;
import io.muninn.verify.check.Checkers;
import io.muninn.verify.check.Coverage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every built-in program but the one that needs a clock, in every version, in the simulator, on a
 * cluster of four nodes, twice with the same outcome: under the annotated protocols and one other,
 * so that all have their turns. {@link ProtocolCountsTest} has the rest. All protocols, clusters of
 * other sizes and programs of many rounds are tagged slow, as is what depends on the threads'
 * processors more than on the protocol: that is looked at under the annotated protocols. Programs
 * of parallel loops have {@link LoopProgramsTest} instead, but for machines with trouble.
 */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class SimulatedProgramsTest {
    private static final List<String> SAMPLES =
            List.of(
                    "hello",
                    "mult --size 37",
                    "mult --size 37 --version mp",
                    "mult --size 37 --version seq",
                    "diff --rows 13 --columns 40 --sweeps 9",
                    "diff --rows 13 --columns 40 --sweeps 9 --version mp",
                    "diff --rows 13 --columns 40 --sweeps 9 --version seq",
                    "fft --points 512",
                    "fft --points 512 --version mp",
                    "fft --points 512 --version seq",
                    "gauss --size 19",
                    "gauss --size 19 --version mp",
                    "gauss --size 19 --version seq",
                    "cg --size 600 --iterations 4",
                    "cg --size 600 --iterations 4 --version mp",
                    "cg --size 600 --iterations 4 --version seq",
                    "tsp-c --cities 8 --threshold 5",
                    "tsp-f --cities 8 --threshold 4",
                    "tsp-f --cities 8 --threshold 1 --slots 20",
                    "tsp-f --cities 8 --threshold 4 --version mp",
                    "tsp-f --cities 8 --threshold 4 --version ship",
                    "tsp-f --cities 8 --threshold 4 --version seq",
                    "qsort --size 3000 --threshold 100",
                    "qsort --size 3000 --threshold 50 --tasks 3",
                    "qsort --size 3000 --threshold 100 --version mp",
                    "qsort --size 3000 --threshold 100 --version ship",
                    "qsort --size 3000 --threshold 100 --version seq",
                    "counter --increments 50",
                    "falseshare --rounds 7 --pages 3",
                    "histogram --table 3000 --updates 40",
                    "histogram --table 3000 --updates 3000 --version aggregated",
                    "indexgather --table 3000 --loads 40",
                    "indexgather --table 3000 --loads 3000 --version aggregated",
                    "contend --stores 20");

    private static final int SEEDS = Boolean.getBoolean("muninn.all") ? 10 : 3;
    private static final int FEW_ROUNDS = 6;

    /** A program on a cluster. */
    private record Sample(String words, int nodes, int threads, List<Protocol> override) {
        AppRun prepare() {
            AppRun run = AppRun.of(() -> program(words), nodes).threads(threads);
            override.forEach(run::protocol);
            return run;
        }

        @Override
        public String toString() {
            return words + " on " + nodes + "x" + threads + " " + override;
        }
    }

    static Stream<Sample> samples() {
        List<Sample> all = new ArrayList<>();
        for (String words : SAMPLES) {
            for (int nodes : new int[] {1, 2, 4, 8}) {
                for (int threads : new int[] {1, 2}) {
                    all.add(new Sample(words, nodes, threads, List.of()));
                    all.add(new Sample(words, nodes, threads, List.of(Protocol.MIGRATORY)));
                    for (Protocol protocol : ProtocolKind.ofEveryProgram()) {
                        all.add(new Sample(words, nodes, threads, List.of(protocol)));
                    }
                }
            }
        }
        return all.stream();
    }

    static Stream<Sample> samplesOnFourNodes() {
        return samples().filter(sample -> sample.nodes == 4 && sample.threads == 2);
    }

    /** Of each program two, so that all protocols have their turns. */
    static Stream<Sample> someSamplesOnFourNodes() {
        List<Sample> all = samplesOnFourNodes().toList();
        int each = all.size() / SAMPLES.size();
        return IntStream.range(0, SAMPLES.size())
                .boxed()
                .flatMap(i -> Stream.of(0, 1 + i % (each - 1)).map(j -> all.get(each * i + j)));
    }

    static Stream<Sample> annotatedSamplesOnFourNodes() {
        return samplesOnFourNodes().filter(sample -> sample.override.isEmpty());
    }

    @ParameterizedTest
    @MethodSource("someSamplesOnFourNodes")
    void program_isRightAndTheSameTwice(Sample sample) {
        AppResult result = sample.prepare().run();
        AppResult again = sample.prepare().run();

        assertRight(result);
        assertEquals(result.traceHash(), again.traceHash());
        assertEquals(result.nodes(), again.nodes());
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("samples")
    void programOnEveryCluster_isTheSameTwice(Sample sample) {
        program_isRightAndTheSameTwice(sample);
    }

    /** A processor for each thread, as many as the usual run has used at most. */
    @ParameterizedTest
    @MethodSource("annotatedSamplesOnFourNodes")
    void programWithAProcessorForEachThread_isTheSame(Sample sample) {
        AppResult usual = sample.prepare().run();
        int processors =
                usual.nodes().stream()
                        .mapToInt(node -> node.processors().processors())
                        .max()
                        .orElseThrow();

        AppResult given =
                sample.prepare().processors(new ProcessorRules(processors, 0, 0, 0)).run();

        assertEquals(usual.traceHash(), given.traceHash());
        assertEquals(usual.nanos(), given.nanos());
        assertEquals(usual.seconds(), given.seconds());
        assertEquals(usual.byKind(), given.byKind());
        for (int i = 0; i < usual.nodes().size(); i++) {
            assertEquals(usual.nodes().get(i).counters(), given.nodes().get(i).counters());
        }
    }

    @ParameterizedTest
    @MethodSource("annotatedSamplesOnFourNodes")
    void programWhoseThreadsShareProcessors_isRightAndAllTimeIsCharged(Sample sample) {
        for (ProcessorRules rules :
                List.of(new ProcessorRules(1, 4_000, 1_000, 0), new ProcessorRules(2, 0, 300, 0))) {
            AppResult result =
                    new Sample(sample.words, sample.nodes, 4, sample.override)
                            .prepare()
                            .processors(rules)
                            .observers(Checkers.withoutValues(new Coverage()))
                            .run();

            assertRight(result);
            for (AppResult.Node node : result.nodes()) {
                ProcessorReport report = node.processors();
                assertEquals(rules.processors(), report.processors());
                assertEquals(
                        rules.processors() * report.elapsedNanos(),
                        report.total().totalNanos(),
                        report::toString);
            }
            assertTrue(result.processorTimes().switches() > 0, result::toString);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("samplesOnFourNodes")
    void processorsOfThreads_areRightUnderEveryProtocol(Sample sample) {
        programWithAProcessorForEachThread_isTheSame(sample);
        programWhoseThreadsShareProcessors_isRightAndAllTimeIsCharged(sample);
    }

    private static void assertRight(AppResult result) {
        assertTrue(result.verdict().checked(), result::toString);
        assertTrue(result.isGood(), result::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mult --size 24",
                "diff --rows 13 --columns 40 --sweeps 4",
                "gauss --size 9",
                "gauss --size 9 --version mp",
                "cg --size 600 --iterations 3",
                "cg --size 600 --iterations 3 --version mp",
                "tsp-f --cities 7 --threshold 4",
                "tsp-f --cities 7 --threshold 4 --version mp",
                "tsp-f --cities 7 --threshold 4 --version ship",
                "qsort --size 2500 --threshold 100",
                "qsort --size 2500 --threshold 100 --version mp",
                "qsort --size 2500 --threshold 100 --version ship",
                "counter --increments 20",
                "falseshare --rounds 4 --pages 2",
                "histogram --table 2000 --updates 30",
                "histogram --table 2000 --updates 2500 --version aggregated",
                "indexgather --table 2000 --loads 30",
                "indexgather --table 2000 --loads 2500 --version aggregated",
                "contend --stores 20",
                "jacobi --size 24 --steps 3",
                "irreg --size 4000 --steps 2 --schedule dynamic --chunk 3",
                "swm --size 16 --steps 2 --schedule cyclic",
                "swm --size 16 --steps 2 --version mp"
            })
    void programOnMachinesWithTrouble_isRight(String words) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Random random = new Random(seed);
            int nodes = 2 + random.nextInt(4);
            RandomDelays delays = new RandomDelays(random, random, nodes);
            AppRun run =
                    AppRun.of(() -> program(words), nodes)
                            .threads(1 + random.nextInt(2))
                            .delays(delays)
                            .observers(Checkers.withoutValues(new Coverage()))
                            .disruptions(new Disruptions(random, delays, false));

            AppResult result = run.run();

            assertTrue(result.verdict().right(), "seed " + seed + ": " + result);
        }
    }

    /** Promises that end-to-end tests check on a live cluster, in fewer rounds. */
    @ParameterizedTest
    @MethodSource("promises")
    void promise_isKept(Supplier<DsmProgram> program, Protocol override) {
        AppRun run = AppRun.of(program, 3).threads(2);
        if (override != null) {
            run.protocol(override);
        }

        AppResult result = run.run();

        assertTrue(result.verdict().right(), result::toString);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("promisesInManyRounds")
    void promiseInManyRounds_isKept(Supplier<DsmProgram> program, Protocol override) {
        promise_isKept(program, override);
    }

    static Stream<Arguments> promises() {
        List<Supplier<DsmProgram>> programs =
                List.of(
                        () -> new LockedStores(4 * FEW_ROUNDS),
                        () -> new LockChain(FEW_ROUNDS),
                        () -> new ReadMostly(4 * FEW_ROUNDS),
                        MessageChain::new,
                        Allocates::new);
        return Stream.concat(
                withoutVariables(() -> new LongMessages(1)),
                programs.stream().flatMap(SimulatedProgramsTest::underEachProtocol));
    }

    /** As many as live. */
    static Stream<Arguments> promisesInManyRounds() {
        return Stream.of(
                        withoutVariables(LongMessages::new),
                        underEachProtocol(LockedStores::new),
                        underEachProtocol(LockChain::new))
                .flatMap(each -> each);
    }

    private static Stream<Arguments> withoutVariables(Supplier<DsmProgram> program) {
        return Stream.of(Arguments.of(program, null));
    }

    private static Stream<Arguments> underEachProtocol(Supplier<DsmProgram> program) {
        return Stream.of(null, Protocol.CONVENTIONAL, Protocol.MIGRATORY)
                .map(override -> Arguments.of(program, override));
    }

    /** To a program each process is a node, which serves an object that all nodes call. */
    @Test
    void objectsOfEveryProcess_areCalledByEveryProcess() {
        AppResult result =
                AppRun.of(ShippedCallPromises::new, 2)
                        .processes(2)
                        .protocol(Protocol.HOME_BASED)
                        .updates(UpdateRules.DEFAULT.forProcesses(2))
                        .run();

        assertTrue(result.isGood(), result::toString);
    }

    /** Threads of several processes enter a reader-writer lock that one of them has acquired. */
    @Test
    void tableThatProcessesReadAndWrite_isWhole() {
        AppResult result =
                AppRun.of(() -> new ReadMostly(8 * FEW_ROUNDS), 2)
                        .processes(2)
                        .threads(2)
                        .protocol(Protocol.HOME_BASED)
                        .updates(UpdateRules.DEFAULT.forProcesses(2))
                        .run();

        assertTrue(result.isGood(), result::toString);
    }

    @Test
    void lockTakenAgainByItsLastHolder_sendsNothing() {
        AppResult result = AppRun.of(Relock::new, 3).run();

        assertTrue(result.isGood(), result::toString);
        assertEquals(1, result.total(NodeCounter.TOKENS_PASSED));
        assertEquals(1, result.total(NodeCounter.LOCK_CALLS));
    }

    @ParameterizedTest
    @CsvSource({
        "16, mult --size 64",
        "16, diff --rows 66 --columns 64 --sweeps 10",
        "64, mult --size 64",
        "64, diff --rows 130 --columns 64 --sweeps 10",
        "16, fft --points 1024",
        "16, gauss --size 48",
        "64, fft --points 4096 --version mp",
        "16, cg --size 2000 --iterations 5",
        "64, counter --increments 10"
    })
    void largeCluster_isRight(int nodes, String words) {
        assertRightOn(nodes, words);
    }

    @Tag("slow")
    @Test
    void eliminationOnALargeCluster_isRight() {
        assertRightOn(64, "gauss --size 70");
    }

    private static void assertRightOn(int nodes, String words) {
        AppResult result = AppRun.of(() -> program(words), nodes).run();

        assertTrue(result.verdict().right(), result::toString);
        assertEquals(nodes, result.nodes().size());
    }
}
