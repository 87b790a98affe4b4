package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.spi.RegionSpec;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seeds keep their programs, even if a protocol is added. */
class StreamsTest {
    private static final int SEEDS = 80;

    /**
     * Hashes of the first four trials of the seeds from 1. A change makes every known seed
     * worthless.
     */
    private static final String HASHES = "fdd37ed3 47b3301e 0c89e552 3f61868e";

    private static final String FIVE =
            "[CONVENTIONAL, MIGRATORY, PIPELINED, READ_ONLY, WRITE_SHARED]";
    private static final String OF_WAITS = "[CONVENTIONAL, MIGRATORY, PIPELINED, WRITE_SHARED]";
    private static final String HOMES = FIVE.replace("MIGR", "HOME_BASED, MIGR");
    private static final String HOMES_OF_WAITS = OF_WAITS.replace("MIGR", "HOME_BASED, MIGR");
    private static final String LAZY = HOMES.replace("MIGR", "LAZY, MIGR");
    private static final String LAZY_OF_WAITS = HOMES_OF_WAITS.replace("MIGR", "LAZY, MIGR");
    private static final String HYBRID = LAZY.replace("LAZY", "HYBRID, LAZY");
    private static final String HYBRID_OF_WAITS = LAZY_OF_WAITS.replace("LAZY", "HYBRID, LAZY");
    private static final String WEAK = HYBRID.replace("WRITE", "WEAK, WRITE");
    private static final String WEAK_OF_WAITS = HYBRID_OF_WAITS.replace("WRITE", "WEAK, WRITE");
    private static final String LATER = WEAK.replace("LAZY", "LATER, LAZY");
    private static final String LATER_OF_WAITS = WEAK_OF_WAITS.replace("LAZY", "LATER, LAZY");

    /** By place among the trials of a seed. */
    private static final List<String> NOW_ALL =
            Stream.of(
                            trials(FIVE, OF_WAITS, "WRITE_SHARED"),
                            trials(HOMES, HOMES_OF_WAITS, "HOME_BASED"),
                            trials(LAZY, LAZY_OF_WAITS, "LAZY"),
                            trials(LAZY, LAZY_OF_WAITS, "LAZY"), // of the variant
                            trials(HYBRID, HYBRID_OF_WAITS, "HYBRID"),
                            trials(WEAK, WEAK_OF_WAITS, "WEAK"),
                            trials(WEAK, WEAK_OF_WAITS, "WEAK"), // of the variant
                            trials(WEAK, WEAK_OF_WAITS, "WEAK")) // on several hosts
                    .flatMap(List::stream)
                    .toList();

    private static final List<String> LATER_ALL = trials(LATER, LATER_OF_WAITS, "LATER");

    private static final Path API = Path.of("../../dsm-api/src/main/java");
    private static final Path KERNEL = Path.of("../kernel/src/main/java");

    /** The protocols of the trials of one stream. */
    private static List<String> trials(String any, String ofWaits, String reduced) {
        return List.of(
                any,
                ofWaits,
                any,
                any,
                any,
                "[" + reduced + "]",
                any,
                any,
                any,
                ofWaits,
                ofWaits,
                any);
    }

    @Test
    void seeds_keepTheirPrograms() {
        assertEquals(HASHES, Programs.hashes());
        assertEquals(NOW_ALL.toString(), Programs.protocols());
    }

    @Test
    void oneMoreProtocol_leavesOldSeedsAloneAndIsMixedWithTheOthers(@TempDir Path changed)
            throws Exception {
        write(changed, API.resolve("io/muninn/api/Protocol.java"), "PIPELINED(5)", ", LATER(99)");
        write(
                changed,
                KERNEL.resolve("io/muninn/coherence/ProtocolKind.java"),
                "List.of())",
                ", LATER(Protocol.LATER, Migratory.TRAITS, Migratory.class,"
                        + " Migratory.Msg.class, Migratory::new, List.of())");
        compile(changed);

        try (URLClassLoader loader =
                new URLClassLoader(classPath(changed), ClassLoader.getPlatformClassLoader())) {
            Class<?> copy = loader.loadClass(Programs.class.getName());

            assertEquals(HASHES, copy.getMethod("hashes").invoke(null));
            assertEquals(
                    Stream.concat(NOW_ALL.stream(), LATER_ALL.stream()).toList().toString(),
                    copy.getMethod("protocols").invoke(null));
        }
    }

    @Test
    void trialsOfTheFirstStream_areTheFirstOfAll() {
        List<SeededRun> all = SeededRun.ofKinds(3, SeededRun.Options.ALL);

        assertEquals(SeededRun.of(3, SeededRun.Options.ALL).program(), all.get(0).program());
        assertEquals(SeededRun.ofWaits(3, SeededRun.Options.ALL).program(), all.get(1).program());
        assertEquals(SeededRun.ofLimits(3, SeededRun.Options.ALL).program(), all.get(2).program());
        assertEquals(SeededRun.ofPolling(3, SeededRun.Options.ALL).program(), all.get(3).program());
        assertEquals(
                SeededRun.ofProcessors(3, SeededRun.Options.ALL).program(), all.get(4).program());
        assertEquals(
                SeededRun.ofReductions(3, SeededRun.Options.ALL).program(), all.get(5).program());
        assertEquals(
                SeededRun.ofJourneys(3, SeededRun.Options.ALL).program(), all.get(6).program());
        assertEquals(
                SeededRun.ofMessages(3, SeededRun.Options.ALL).program(), all.get(7).program());
        assertEquals(
                SeededRun.ofSiblings(3, SeededRun.Options.ALL).program(), all.get(8).program());
        assertEquals(
                SeededRun.ofPermissions(3, SeededRun.Options.ALL).program(), all.get(9).program());
        assertEquals(
                SeededRun.ofRemotes(3, SeededRun.Options.ALL).program(), all.get(10).program());
        assertEquals(SeededRun.ofCuts(3, SeededRun.Options.ALL).program(), all.get(11).program());
    }

    /** The calls to every copy of the classes. */
    public static final class Programs {
        private Programs() {}

        /** Hashes of the programs of the first four trials. */
        public static String hashes() {
            int usual = 0;
            int ofWaits = 0;
            int ofLimits = 0;
            int ofPolling = 0;
            for (long seed = 1; seed <= SEEDS; seed++) {
                usual = 31 * usual + hash(SeededRun.of(seed, SeededRun.Options.ALL));
                ofWaits = 31 * ofWaits + hash(SeededRun.ofWaits(seed, SeededRun.Options.ALL));
                ofLimits = 31 * ofLimits + hash(SeededRun.ofLimits(seed, SeededRun.Options.ALL));
                ofPolling = 31 * ofPolling + hash(SeededRun.ofPolling(seed, SeededRun.Options.ALL));
            }
            return "%08x %08x %08x %08x".formatted(usual, ofWaits, ofLimits, ofPolling);
        }

        private static int hash(SeededRun trial) {
            return trial.program().toText().hashCode();
        }

        /** The protocols in the programs of all trials, by place among the trials of a seed. */
        public static String protocols() {
            List<TreeSet<String>> names = new ArrayList<>();
            for (long seed = 1; seed <= SEEDS; seed++) {
                List<SeededRun> all = SeededRun.ofKinds(seed, SeededRun.Options.ALL);
                for (int i = 0; i < all.size(); i++) {
                    if (names.size() == i) {
                        names.add(new TreeSet<>());
                    }
                    for (RegionSpec region : all.get(i).program().regions()) {
                        names.get(i).add(region.protocol().name());
                    }
                }
            }
            return names.toString();
        }
    }

    private static void write(Path folder, Path source, String last, String more)
            throws IOException {
        String text = Files.readString(source);
        assertEquals(text.indexOf(last), text.lastIndexOf(last), source.toString());
        assertTrue(text.contains(last), source.toString());
        Files.writeString(folder.resolve(source.getFileName()), text.replace(last, last + more));
    }

    private static void compile(Path folder) {
        int status =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-nowarn",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                folder.toString(),
                                folder.resolve("Protocol.java").toString(),
                                folder.resolve("ProtocolKind.java").toString());
        assertEquals(0, status);
    }

    private static URL[] classPath(Path first) throws MalformedURLException {
        List<URL> urls = new ArrayList<>(List.of(first.toUri().toURL()));
        for (String entry : System.getProperty("java.class.path").split(":")) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }
}
