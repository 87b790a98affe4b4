package io.muninn.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Dsm;
import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.api.Verdict;
import io.muninn.api.spi.BuiltInProgram;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every built-in program, in every version, small, on clusters of different sizes. */
@Timeout(60)
class ProgramsTest {
    private static final String TRANSFORM = "transform of 64 points equals the direct one";

    private static final String TOUR = "tour of 9 cities is 151 long, and none is shorter";

    private static final String ORDER =
            "2000 elements are in order, and are those of the beginning";

    /**
     * Program and options, and the detail of the verdict; empty where it differs from run to run.
     */
    private record Sample(String words, String detail) {
        DsmProgram create() {
            return ProgramsByName.program(words);
        }

        void check(Verdict verdict) {
            assertTrue(verdict.checked(), words);
            assertTrue(verdict.right(), verdict.detail());
            if (!detail.isEmpty()) {
                assertEquals(detail, verdict.detail());
            }
        }

        @Override
        public String toString() {
            return words;
        }
    }

    static Stream<Sample> samples() {
        String product = "product of 37x37 equals the sequential one";
        String grid = "grid of 13x40 after 9 sweeps equals the sequential one";
        return Stream.of(
                new Sample("mult --size 37", product),
                new Sample("mult --size 37 --version mp", product),
                new Sample("mult --size 37 --version seq", product),
                new Sample("mult --size 37 --repeat 3", product),
                new Sample("mult --size 37 --repeat 3 --version mp", product),
                new Sample("mult --size 37 --repeat 3 --version seq", product),
                new Sample("mult --size 37 --version loops", product),
                new Sample("mult --size 37 --repeat 3 --version loops", product),
                new Sample("mult --size 1", "product of 1x1 equals the sequential one"),
                new Sample("mult --size 2 --version mp", ""),
                new Sample("diff --rows 13 --columns 40 --sweeps 9", grid),
                new Sample("diff --rows 13 --columns 40 --sweeps 9 --trace", grid),
                new Sample("diff --rows 13 --columns 40 --sweeps 9 --version mp", grid),
                new Sample("diff --rows 13 --columns 40 --sweeps 9 --version seq", grid),
                new Sample("diff --rows 13 --columns 40 --sweeps 9 --repeat 3", grid),
                new Sample("diff --rows 13 --columns 40 --sweeps 9 --repeat 3 --version mp", grid),
                new Sample("diff --rows 13 --columns 40 --sweeps 9 --repeat 3 --version seq", grid),
                new Sample("diff --rows 1 --columns 1 --sweeps 2", ""),
                new Sample("diff --rows 2 --columns 5 --sweeps 2 --version mp", ""),
                new Sample("diff --rows 4 --columns 3 --sweeps 3", ""),
                new Sample("diff --rows 4 --columns 3 --sweeps 3 --version mp", ""),
                new Sample("diff --rows 4 --columns 3 --sweeps 0 --version mp", ""),
                new Sample("gauss --size 23", ""),
                new Sample("gauss --size 23 --version mp", ""),
                new Sample("gauss --size 23 --version seq", ""),
                new Sample("gauss --size 1", ""),
                new Sample("gauss --size 2 --version mp", ""),
                new Sample("cg --size 101 --iterations 20", ""),
                new Sample("cg --size 101 --iterations 20 --version mp", ""),
                new Sample("cg --size 101 --iterations 20 --version seq", ""),
                new Sample("cg --size 101 --iterations 20 --repeat 3", ""),
                new Sample("cg --size 101 --iterations 20 --repeat 3 --version mp", ""),
                new Sample("cg --size 101 --iterations 20 --repeat 3 --version seq", ""),
                new Sample("cg --size 1 --iterations 2", ""),
                new Sample("cg --size 2 --others 1 --iterations 5 --version mp", ""),
                new Sample("cg --size 50 --others 0 --iterations 1000", ""),
                new Sample("fft --points 64 --version seq", TRANSFORM),
                new Sample("tsp-c --cities 9 --threshold 6", TOUR),
                new Sample("tsp-f --cities 9 --threshold 5", TOUR),
                new Sample("tsp-f --cities 9 --threshold 1 --slots 20", TOUR),
                new Sample("tsp-f --cities 9 --threshold 5 --refresh 100 --version dsm", TOUR),
                new Sample("tsp-f --cities 9 --threshold 5 --refresh 100 --version ship", TOUR),
                new Sample("tsp-f --cities 9 --threshold 5 --version mp", TOUR),
                new Sample("tsp-f --cities 9 --threshold 2 --slots 9 --version mp", TOUR),
                new Sample("tsp-f --cities 9 --threshold 5 --version ship", TOUR),
                new Sample("tsp-f --cities 9 --threshold 5 --version seq", TOUR),
                new Sample("tsp-c --cities 1", "tour of 1 cities is 0 long, and none is shorter"),
                new Sample("tsp-c --cities 2 --version mp", ""),
                new Sample("tsp-c --cities 3 --threshold 1 --slots 1", ""),
                new Sample("tsp-c --cities 3 --threshold 1 --version ship", ""),
                new Sample("qsort --size 2000 --threshold 50", ORDER),
                new Sample("qsort --size 2000 --threshold 20 --tasks 3", ORDER),
                new Sample("qsort --size 2000 --threshold 50 --version mp", ORDER),
                new Sample("qsort --size 2000 --threshold 20 --tasks 3 --version mp", ORDER),
                new Sample("qsort --size 2000 --threshold 50 --version ship", ORDER),
                new Sample("qsort --size 2000 --threshold 20 --tasks 3 --version ship", ORDER),
                new Sample("qsort --size 2000 --threshold 50 --version seq", ORDER),
                new Sample("qsort --size 1", ""),
                new Sample("qsort --size 1 --version mp", ""),
                new Sample("qsort --size 2 --threshold 1 --version ship", ""),
                new Sample("qsort --size 3 --threshold 1 --tasks 1", ""),
                new Sample("qsort --size 3 --threshold 1 --version mp", ""),
                new Sample("adi --size 40 --steps 3", ""),
                new Sample("adi --size 40 --steps 3 --version mp", ""),
                new Sample("jacobi --size 12 --steps 3 --schedule guided --chunk 2", ""),
                new Sample("jacobi --size 12 --steps 3 --version mp", ""),
                new Sample("swm --size 12 --steps 3 --schedule cyclic", ""),
                new Sample("swm --size 12 --steps 3 --version mp", ""),
                new Sample("hello", "every node read 42"),
                new Sample("counter --increments 100", ""),
                new Sample("counter --increments 0", ""),
                new Sample("histogram --table 1000 --updates 500", ""),
                new Sample("histogram --table 1 --updates 500 --version aggregated", ""),
                new Sample("histogram --updates 0", ""),
                new Sample("indexgather --table 3000 --loads 500", ""),
                new Sample("indexgather --table 70000 --loads 70000 --version aggregated", ""),
                new Sample("indexgather --loads 0", "0 words loaded, 0 of them wrong"),
                new Sample(
                        "falseshare --rounds 7 --pages 3",
                        "3072 elements hold the sums of 7 rounds"),
                new Sample("contend --stores 20", ""),
                new Sample("contend --stores 0", ""));
    }

    /** FFT wants a power of two of threads. */
    static Stream<Sample> transforms() {
        return Stream.of(
                new Sample("fft --points 64", TRANSFORM),
                new Sample("fft --points 64 --version mp", TRANSFORM),
                new Sample(
                        "fft --points 4096 --version mp",
                        "transform of 4096 points agrees with Parseval, and its inverse with the"
                                + " input"),
                new Sample("fft --points 64 --version seq", TRANSFORM));
    }

    @AfterEach
    void forgetThreads() {
        System.clearProperty(Dsm.THREADS_PROPERTY);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void programWithoutCluster_isRight(Sample sample) {
        sample.check(Dsm.run(sample.create()));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void programOnThreeThreads_isRight(Sample sample) {
        System.setProperty(Dsm.THREADS_PROPERTY, "3");

        sample.check(Dsm.run(sample.create()));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void programOnFourNodes_isRight(Sample sample) throws Exception {
        sample.check(PretendCluster.run(4, 1, null, sample::create));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void programOnThreeNodesOfTwoThreads_isRightUnderAnotherProtocol(Sample sample)
            throws Exception {
        sample.check(PretendCluster.run(3, 2, Protocol.CONVENTIONAL, sample::create));
    }

    @ParameterizedTest
    @MethodSource("transforms")
    void transformOnPowersOfTwo_isRight(Sample sample) throws Exception {
        sample.check(Dsm.run(sample.create()));
        sample.check(PretendCluster.run(2, 1, null, sample::create));
        sample.check(PretendCluster.run(4, 1, null, sample::create));
        sample.check(PretendCluster.run(2, 4, Protocol.CONVENTIONAL, sample::create));
    }

    @Test
    void eliminationOfEveryVersion_hasTheSameBits() throws Exception {
        Sample dsm = new Sample("gauss --size 23", "");
        Sample mp = new Sample("gauss --size 23 --version mp", "");
        String alone = Dsm.run(new Sample("gauss --size 23 --version seq", "").create()).detail();

        assertTrue(alone.startsWith("solution of 23 equations has a scaled residual 0."), alone);
        assertEquals(alone, PretendCluster.run(3, 1, null, dsm::create).detail());
        assertEquals(alone, PretendCluster.run(2, 2, null, mp::create).detail());
    }

    @Test
    void gradientsOfEveryVersion_haveTheSameBitsOnAsManyThreads() throws Exception {
        String words = "cg --size 101 --iterations 20";
        Sample dsm = new Sample(words, "");
        Sample mp = new Sample(words + " --version mp", "");
        Sample seq = new Sample(words + " --version seq", "");
        String alone = PretendCluster.run(3, 2, null, seq::create).detail();

        assertTrue(alone.startsWith("solution of 101 equations has bits "), alone);
        assertEquals(alone, PretendCluster.run(3, 2, null, dsm::create).detail());
        assertEquals(alone, PretendCluster.run(2, 3, null, mp::create).detail());
    }

    @Test
    void clusterOnWhichAProgramDoesNotRun_isRefused() {
        assertRefused("fft", 3, 1, "runs on a power of two of threads");
        assertRefused("fft --version mp", 2, 3, "runs on a power of two of threads");
        assertRefused("fft --points 64", 4, 4, "64 points are too few for 16 threads");
        assertRefused("cg", 1024, 5, "runs on at most 4096 threads, not 5120");
        assertRefused("barnes-space", 64, 17, "runs on at most 1024 threads, not 1088");
        ProgramsByName.named("cg").checkCluster(List.of("--version", "mp"), 1024, 5);
        ProgramsByName.named("fft").checkCluster(List.of(), 64, 2);
        ProgramsByName.named("fft").checkCluster(List.of("--version", "seq"), 3, 1);
        ProgramsByName.named("gauss").checkCluster(List.of(), 3, 1);
    }

    private static void assertRefused(String words, int nodes, int threads, String because) {
        List<String> all = List.of(words.split(" "));
        BuiltInProgram program = ProgramsByName.named(all.getFirst());
        String text =
                assertThrows(
                                IllegalArgumentException.class,
                                () ->
                                        program.checkCluster(
                                                all.subList(1, all.size()), nodes, threads))
                        .getMessage();
        assertTrue(text.startsWith(because), text);
    }

    @Test
    void gcstorm_forcesCollectionsAndIsRight() throws Exception {
        Sample sample = new Sample("gcstorm --seconds 1", "");

        Verdict verdict = PretendCluster.run(2, 2, null, sample::create);

        sample.check(verdict);
        assertTrue(
                verdict.detail()
                        .matches("[1-9]\\d* rounds, 0 faults, [1-9]\\d* forced collections, .* ms"),
                verdict.detail());
    }

    @Test
    void tsp_saysHowManyPartialToursWereLookedAt() {
        Verdict alone = Dsm.run(new Sample("tsp-f --cities 9 --count", "").create());

        assertTrue(
                alone.detail().matches(TOUR + "; partial tours looked at: [1-9]\\d*"),
                alone::detail);
        assertOptionsRefused("--count --version mp", "option --count needs --version dsm");
        assertOptionsRefused(
                "--refresh 1 --version seq", "option --refresh needs --version dsm or ship");
        assertOptionsRefused("--refresh -1", "option --refresh ");
    }

    private static void assertOptionsRefused(String words, String because) {
        BuiltInProgram tsp = ProgramsByName.named("tsp-f");
        List<String> all = List.of(words.split(" "));
        String text =
                assertThrows(IllegalArgumentException.class, () -> tsp.create(all)).getMessage();
        assertTrue(text.startsWith(because), text);
    }

    @Test
    void counter_saysHowOftenTheLockStayed() {
        Verdict verdict = Dsm.run(new Sample("counter --increments 100", "").create());

        assertEquals(
                "counter is 100; the lock was taken again by its last node 99 times",
                verdict.detail());
    }

    @Test
    void everyProgram_describesItselfAndItsOptions() {
        List<BuiltInProgram> programs =
                ServiceLoader.load(BuiltInProgram.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();

        assertEquals(
                List.of(
                        "adi",
                        "appbt",
                        "barnes-rebuild",
                        "barnes-space",
                        "cg",
                        "contend",
                        "counter",
                        "diff",
                        "dot",
                        "expl",
                        "falseshare",
                        "fft",
                        "fft-1d",
                        "fft-six",
                        "gauss",
                        "gauss-flags",
                        "gcstorm",
                        "hello",
                        "histogram",
                        "indexgather",
                        "irreg",
                        "jacobi",
                        "lu",
                        "mp3d",
                        "mult",
                        "ocean",
                        "qsort",
                        "radix",
                        "raytrace",
                        "rb",
                        "sor",
                        "swm",
                        "tomcatv",
                        "tsp-c",
                        "tsp-f",
                        "volrend",
                        "water-nsq",
                        "water-sp"),
                programs.stream().map(BuiltInProgram::name).sorted().toList());
        for (BuiltInProgram program : programs) {
            assertTrue(!program.summary().isBlank());
            assertEquals("dsm", program.versions().getFirst());
            for (String line : program.usage().lines().toList()) {
                String option = line.split(" ")[0];
                assertTrue(option.startsWith("--"), line);
            }
            IllegalArgumentException unknown =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> program.create(List.of("--nonsense", "1")));
            for (String line : program.usage().lines().toList()) {
                assertTrue(unknown.getMessage().contains(line.split(" ")[0]), unknown.getMessage());
            }
        }
    }

    @Test
    void optionsOutOfRange_areRefused() {
        assertRefused("mult --size 0", "option --size is an integer from 1 to 16384, not '0'");
        assertRefused("cg --iterations 0", "option --iterations is an integer from 1 to 10000");
        assertRefused(
                "cg --size 500000 --others 1000",
                "matrix of --size 500000 and --others 1000 has 500500000 elements, more than");
        assertRefused("diff --sweeps many", "option --sweeps is an integer from 0 to 1000000");
        assertRefused("diff --version ship", "option --version is one of dsm, mp, seq");
        assertRefused("fft --points 1", "option --points is an integer from 2 to 4194304");
        assertRefused("fft --points 1000", "option --points is a power of two, not '1000'");
        assertRefused("gauss --size 5000", "option --size is an integer from 1 to 4096");
        assertRefused("gauss --version ship", "option --version is one of dsm, mp, seq");
        assertRefused("diff --trace --version mp", "option --trace needs --version dsm");
        assertRefused("diff --trace --repeat 2", "option --trace needs --repeat 1");
        assertRefused("tsp-c --cities 21", "option --cities is an integer from 1 to 20, not '21'");
        assertRefused("tsp-f --threshold 0", "option --threshold is an integer from 1 to 20");
        assertRefused(
                "qsort --threshold 65537", "option --threshold is an integer from 1 to 65536");
        assertRefused("qsort --version all", "option --version is one of dsm, mp, ship, seq");
        assertRefused("hello --version mp", "option --version is one of dsm, not 'mp'");
    }

    private static void assertRefused(String words, String because) {
        Sample sample = new Sample(words, "");
        String text = assertThrows(IllegalArgumentException.class, sample::create).getMessage();
        assertTrue(text.startsWith(because), text);
    }
}
