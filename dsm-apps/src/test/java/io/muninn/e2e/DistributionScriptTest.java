package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script {@code ./dsm} in a distribution, on a machine with a JDK alone. */
@Tag("e2e")
class DistributionScriptTest extends PretendedCheckout {
    /** The home as {@code ./dsm dist} lays it out. */
    private void beADistribution() throws IOException {
        try (Stream<Path> sources = Files.walk(home)) {
            for (Path each : sources.sorted(Comparator.reverseOrder()).toList()) {
                if (!each.equals(home) && !each.endsWith("dsm")) {
                    Files.delete(each);
                }
            }
        }
        for (String folder : List.of("lib", "programs", "sim", "flags")) {
            Files.createDirectories(home.resolve(folder));
        }
        Files.createDirectories(home.resolve("native/linux-x86-64"));
        Files.createDirectories(home.resolve("native/linux-aarch64"));
        Files.createFile(home.resolve("lib/a.jar"));
        Files.createFile(home.resolve("programs/dsm-programs.jar"));
        for (String tool : List.of("mvn", "cc", "flock", "find")) {
            Files.delete(tools.resolve(tool));
        }
    }

    @Test
    void distribution_runsAndWritesNothing() throws IOException, InterruptedException {
        beADistribution();

        Said said = dsm("run", "-n", "2", "a b");

        assertEquals(new Said(0, "", ""), said);
        String java = calls().getLast();
        assertTrue(java.startsWith("java jdk-25 @" + home + "/flags/agent.jvm "), java);
        assertTrue(java.contains(" -Dmuninn.native=" + home + "/native/linux-"), java);
        String programs = home + "/programs/dsm-";
        String path = home + "/lib/*:" + programs + "programs.jar:" + programs + "papers.jar";
        assertTrue(java.endsWith(path + " io.muninn.launch.Main run -n 2 a b"), java);
        assertEquals(0, dsm("sim", "-n", "4", "x").status());
        assertTrue(calls().getLast().contains(path + ":" + home + "/sim/dsm-sim.jar "));
        assertFalse(Files.exists(home.resolve("target")));
        assertEquals(0, dsm("javac", "A.java").status());
        assertEquals("javac jdk-25 A.java; with " + home + "/lib/*", calls().getLast());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bench", "paper", "test", "format", "dist"})
    void distribution_hasNoCommandsOfACheckout(String command)
            throws IOException, InterruptedException {
        assertTrue(commands().contains(command));
        beADistribution();

        Said said = dsm(command);

        String expected =
                "'" + command + "' is a command of a checkout, and this is a distribution";
        assertEquals(new Said(USAGE, "", "dsm: " + expected + "\n"), said);
        assertFalse(commands().contains(command));
    }

    @Test
    void distribution_makesCachesWhenTold() throws IOException, InterruptedException {
        beADistribution();
        dsm("run", "x");
        assertFalse(calls().getLast().contains("-XX:SharedArchiveFile="), calls().getLast());

        Said said = dsm("build");

        assertEquals(0, said.status(), said.err());
        String training = calls().getLast();
        String start = home + "/start";
        assertTrue(training.endsWith(" io.muninn.launch.StartTraining " + start), training);
        dsm("run", "x");
        assertTrue(calls().getLast().contains("-Dmuninn.start=" + start + " "));
        int calls = calls().size();
        dsm("build");
        assertEquals(calls, calls().size());
        Files.setLastModifiedTime(
                home.resolve("lib/a.jar"), FileTime.from(Instant.now().minusSeconds(9)));
        dsm("run", "x");
        assertFalse(calls().getLast().contains("-Dmuninn.start="), calls().getLast());
    }

    @Test
    void distribution_ofOthers_runsAndMakesNoCaches() throws IOException, InterruptedException {
        beADistribution();
        Files.createFile(calls);
        protect();

        assertEquals(new Said(0, "", ""), said(asUser("run", "x")));
        Said said = said(asUser("build"));

        assertEquals(USAGE, said.status());
        assertTrue(said.err().contains(" may not write to " + home + "; its owner, "), said.err());
        assertEquals(1, calls().size());
    }

    @Test
    void distributionOfAnotherPlatform_isTold() throws IOException, InterruptedException {
        beADistribution();
        Files.delete(home.resolve("native/linux-x86-64"));
        Files.delete(home.resolve("native/linux-aarch64"));

        Said said = dsm("run", "x");

        assertEquals(USAGE, said.status());
        assertTrue(said.err().startsWith("dsm: this distribution was made on another"), said.err());
    }

    /** The commands in the output of help. */
    private Set<String> commands() throws IOException, InterruptedException {
        return dsm("--help")
                .out()
                .lines()
                .filter(line -> line.matches("  [a-z].*"))
                .map(line -> line.strip().split(" ")[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The script knows its own commands; those of Java are known there. */
    @Test
    void completion_hasEveryCommandOfTheHelp() throws IOException, InterruptedException {
        assertEquals(0, dsm("completion", "bash").status());
        String own = "java.* io.muninn.launch.Main completion --also (\\S+) bash";
        String words = calls().getLast().replaceFirst(own, "$1").replaceAll(":[^,]*", "");

        Set<String> known = new TreeSet<>(List.of(words.split(",")));
        known.addAll(List.of("run", "node", "k8s", "compare", "sim", "programs", "doctor"));
        known.addAll(List.of("completion", "paper", "bench"));

        assertEquals(commands(), known);
        beADistribution();
        assertEquals(0, dsm("completion", "bash").status());
        assertTrue(calls().getLast().endsWith("completion --also javac,build bash"));
    }
}
