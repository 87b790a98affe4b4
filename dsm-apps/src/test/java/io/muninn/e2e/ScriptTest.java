package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script {@code ./dsm} in a checkout: what it finds, when it builds, what it says. */
@Tag("e2e")
class ScriptTest extends PretendedCheckout {
    @Test
    void help_needsNothing() throws IOException, InterruptedException {
        Said said = dsm(Map.of("MUNINN_JVM_FOLDERS", ""), "--help");

        assertEquals(0, said.status());
        assertTrue(said.out().startsWith("usage: dsm COMMAND"), said.out());
    }

    @Test
    void unknownCommand_isUsage() throws IOException, InterruptedException {
        Said said = dsm("frobnicate");

        assertEquals(USAGE, said.status());
        assertTrue(said.err().startsWith("dsm: unknown command 'frobnicate'"), said.err());
        assertEquals(USAGE, dsm().status());
        assertEquals("dsm: unknown option 'x'; build takes none\n", dsm("build", "x").err());
        assertEquals(USAGE, dsm("format", "x").status());
        assertEquals(List.of(), calls());
    }

    @Test
    void firstUse_buildsOnceAndTheNextIsQuiet() throws IOException, InterruptedException {
        Said first = dsm("run", "-n", "2", "a b");
        Said second = dsm("run", "-n", "2", "a b");

        assertEquals("dsm: building\n", first.err());
        assertEquals("", second.err());
        assertEquals(2, countCalls("java "));
        assertEquals(1, countCalls("mvn "));
        String maven = calls().getFirst();
        assertTrue(maven.contains("package"), maven);
        assertTrue(maven.endsWith("in " + home + "; with " + jvms.resolve("jdk-25")), maven);
        String java = calls().getLast();
        assertTrue(java.endsWith(" io.muninn.launch.Main run -n 2 a b"), java);
        assertTrue(java.contains("-cp " + home + "/dsm-apps/target/lib/*:"), java);
        assertFalse(java.contains("dsm-sim") || java.contains("dsm-verify"), java);
    }

    @Test
    void javac_isOfTheJdkThatRunsAndHasTheLibraries() throws IOException, InterruptedException {
        assertEquals(
                0, dsm(Map.of("CLASSPATH", "my.jar"), "javac", "-d", "x", "A B.java").status());

        assertEquals(
                "javac jdk-25 -d x A B.java; with " + home + "/dsm-apps/target/lib/*:my.jar",
                calls().getLast());
        assertEquals(1, countCalls("mvn "));
    }

    @Test
    void changedSource_isBuilt() throws IOException, InterruptedException {
        dsm("build");
        Path source = home.resolve("dsm-core/kernel/src/main/A.java");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(1)));

        dsm("build");

        assertEquals(2, countCalls("mvn "));
    }

    @Test
    void failedBuild_isTriedAgain() throws IOException, InterruptedException {
        Files.createFile(home.resolve("fail"));

        Said failed = dsm("run", "x");

        assertEquals(1, failed.status());
        assertTrue(failed.err().endsWith("dsm: the build failed\n"), failed.err());
        assertEquals(0, countCalls("java "));
        Files.delete(home.resolve("fail"));
        assertEquals(0, dsm("run", "x").status());
        assertEquals(2, countCalls("mvn "));
    }

    @Test
    void twoAtOnce_buildOnce() throws IOException, InterruptedException {
        script(
                tools.resolve("mvn"),
                "echo mvn >> '" + calls + "'",
                "sleep 0.3", // long enough for the other to come
                "mkdir -p dsm-apps/papers/target; touch dsm-apps/papers/target/dsm-papers.jar");

        Process one = start(Map.of(), "build");
        Process other = start(Map.of(), "build");

        assertEquals(0, one.waitFor());
        assertEquals(0, other.waitFor());
        assertEquals(1, countCalls("mvn"));
    }

    @Test
    void cachesOfTheseJars_areTakenAlsoWhenTheCheckoutHasMoved()
            throws IOException, InterruptedException {
        dsm("build");
        home = Files.move(home, temporary.resolve("elsewhere"));

        dsm("run", "x");

        String start = home + "/dsm-apps/target/start";
        String java = calls().getLast();
        assertTrue(java.contains("-XX:SharedArchiveFile=" + start + "/launchers.aot "), java);
        assertTrue(java.contains("-Dmuninn.start=" + start + " "), java);
        assertEquals(1, countCalls("mvn "));
    }

    @Test
    void cachesOfOtherJars_areLeftOutByARunAndRenewedByABuild()
            throws IOException, InterruptedException {
        dsm("build");
        Path jar = home.resolve("dsm-apps/target/lib/a.jar");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(9)));

        dsm("run", "x");

        String java = calls().getLast();
        assertFalse(java.contains("-XX:SharedArchiveFile="), java);
        assertFalse(java.contains("-Dmuninn.start="), java);
        assertEquals(1, countCalls("mvn "));
        dsm("build");
        dsm("run", "x");
        assertEquals(2, countCalls("mvn "));
        assertTrue(calls().getLast().contains("-XX:SharedArchiveFile="), calls().getLast());
    }

    @Test
    void userWhoMayNotWrite_runsWhatIsBuilt() throws IOException, InterruptedException {
        dsm("build");
        protect();

        Said said = said(asUser("run", "x"));

        assertEquals("", said.err());
        assertEquals(0, said.status());
        assertTrue(calls().getLast().endsWith(" run x"), calls().getLast());
    }

    @Test
    void userWhoMayNotWriteAndHasNoLock_runsWhatIsBuilt() throws IOException, InterruptedException {
        dsm("build");
        Files.delete(home.resolve("target/dsm.lock"));
        protect();

        Said said = said(asUser("run", "x"));

        assertEquals("", said.err());
        assertEquals(0, said.status());
    }

    @Test
    void userWhoMayNotWrite_isToldWhoCanBuild() throws IOException, InterruptedException {
        dsm("build");
        Path source = home.resolve("dsm-core/kernel/src/main/A.java");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(1)));
        protect();

        Said said = said(asUser("run", "x"));

        assertEquals(USAGE, said.status());
        String owner = Files.getOwner(home.resolve("target")).getName();
        assertTrue(said.err().startsWith("dsm: a build is needed, and user "), said.err());
        assertTrue(said.err().contains(" may not write to " + home + "/target;"), said.err());
        assertTrue(said.err().contains("; its owner, " + owner + ", can run "), said.err());
        assertEquals(1, said.err().lines().count(), said.err());
        assertEquals(1, calls().size());
    }

    @ParameterizedTest
    @CsvSource({"-n 69, 'a process may open 69 files'", "-v 4000000, 'limited to 4000000 KiB'"})
    void limitThatNoJvmCanLiveWith_isToldInALine(String limit, String expected)
            throws IOException, InterruptedException {
        ProcessBuilder builder = command(home.resolve("dsm"), Map.of(), "run", "x");
        List<String> words =
                new ArrayList<>(List.of("sh", "-c", "ulimit " + limit + "; exec \"$@\"", "sh"));
        words.addAll(builder.command());

        Said said = said(builder.command(words));

        assertEquals(USAGE, said.status());
        assertTrue(said.err().contains(expected), said.err());
        assertTrue(said.err().contains("'ulimit " + limit.substring(0, 2)), said.err());
        assertEquals(1, said.err().lines().count(), said.err());
    }

    /** In a locale of ASCII a JVM finds no file whose path has other characters. */
    @ParameterizedTest
    @CsvSource({"LC_ALL, C, C.UTF-8", "LANG, POSIX, C.UTF-8", "LANG, de_DE.ISO-8859-1, none"})
    void localeWithoutOtherCharacters_getsThem(String variable, String locale, String expected)
            throws IOException, InterruptedException {
        dsm("build");
        script(jvms.resolve("jdk-25/bin/java"), "echo ${LC_ALL-none}");

        assertEquals(expected + "\n", dsm(Map.of(variable, locale), "run", "x").out());
    }

    @Test
    void optionsOfJava_areHiddenFromAllButApplications() throws IOException, InterruptedException {
        script(
                tools.resolve("mvn"),
                "echo \"mvn ${JAVA_TOOL_OPTIONS-none} $MAVEN_OPTS\" >&2",
                "mkdir -p dsm-apps/papers/target; touch dsm-apps/papers/target/dsm-papers.jar");
        script(
                jvms.resolve("jdk-25/bin/java"),
                "echo ${JAVA_TOOL_OPTIONS-none} ${_JAVA_OPTIONS-none} ${JDK_JAVA_OPTIONS-none}",
                "echo $MUNINN_JAVA_TOOL_OPTIONS, $MUNINN__JAVA_OPTIONS, $MUNINN_JDK_JAVA_OPTIONS");
        Map<String, String> options =
                Map.of(
                        "JAVA_TOOL_OPTIONS", "-XX:+UseZGC -Dproxy=there",
                        "_JAVA_OPTIONS", "-Xms512m",
                        "JDK_JAVA_OPTIONS", "-Dtrust=them",
                        "MAVEN_OPTS", "-Xmx1g");

        Said said = dsm(options, "run", "x");

        String maven = "mvn none -Xmx1g -Dproxy=there\n-Dtrust=them\n";
        assertEquals("dsm: building\n" + maven, said.err());
        assertEquals(
                "none none none\n-XX:+UseZGC -Dproxy=there, -Xms512m, -Dtrust=them\n", said.out());
    }

    /** A JVM would open a file in the place of a stream that it is not given. */
    @ParameterizedTest
    @CsvSource({
        "<&-, 0, /dev/null, ''",
        "2>&-, 0, '', ''",
        ">&-, 1, '', 'dsm: standard output is closed; redirect it to a file or to /dev/null\n'"
    })
    void closedStream_isReplacedOrRefused(String closed, int status, String input, String err)
            throws IOException, InterruptedException {
        dsm("build");
        script(
                jvms.resolve("jdk-25/bin/java"),
                "[ -e /proc/self/fd/2 ] || exit 7",
                "readlink /proc/self/fd/0");
        ProcessBuilder builder = command(home.resolve("dsm"), Map.of(), "run", "x");
        List<String> words = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" " + closed, "sh"));
        words.addAll(builder.command());

        Said said = said(builder.command(words));

        assertEquals(status, said.status(), said.err());
        assertTrue(said.out().startsWith(input), said.out());
        assertEquals(err, said.err());
    }

    @Test
    void maven_resetsNoColoursThatItDidNotSet() throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder("mvn", "-q", "-Dstyle.color=never", "--version");
        builder.directory(SCRIPT.getParent().toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));

        Said said = said(builder);

        assertEquals(0, said.status(), said.err());
        assertFalse((said.out() + said.err()).contains("\u001b[0m"), said.out());
    }

    @Test
    void throughALinkFromAnotherFolder_findsItsHome() throws IOException, InterruptedException {
        Path link = Files.createSymbolicLink(temporary.resolve("link"), home.resolve("dsm"));

        Said said = said(command(link, Map.of(), "build"));

        assertEquals(0, said.status());
        assertTrue(calls().getFirst().contains("in " + home + ";"), calls().getFirst());
    }

    @Test
    void noJdk_isToldWithWhatToInstall() throws IOException, InterruptedException {
        Said said = dsm(Map.of("MUNINN_JVM_FOLDERS", temporary + "/none"), "run", "x");

        assertEquals(USAGE, said.status());
        assertTrue(said.err().startsWith("dsm: Muninn needs a JDK 25 or newer"), said.err());
        assertTrue(said.err().contains("apt-get install"), said.err());
    }

    @Test
    void jdkTooOld_isNotTaken() throws IOException, InterruptedException {
        deleteJdk("jdk-25");
        Path old = jdk("jdk-24", "24.0.1");

        Said said = dsm(Map.of("JAVA_HOME", old.toString()), "run", "x");

        assertEquals(USAGE, said.status());
        assertEquals(List.of(), calls());
    }

    @Test
    void runtimeWithoutACompiler_isNotTaken() throws IOException, InterruptedException {
        Path runtime = jdk("jre-26", "26");
        Files.delete(runtime.resolve("bin/javac"));

        dsm("run", "x");

        assertTrue(calls().getLast().startsWith("java jdk-25 "), calls().getLast());
    }

    @Test
    void newestOfTheUsualFolders_isTaken() throws IOException, InterruptedException {
        jdk("jdk-26", "26-ea");
        jdk("jdk-17", "17.0.9");

        dsm("run", "x");

        assertTrue(calls().getLast().startsWith("java jdk-26 "), calls().getLast());
    }

    @Test
    void javaHome_isPreferredToANewerJdk() throws IOException, InterruptedException {
        jdk("jdk-26", "26");

        dsm(Map.of("JAVA_HOME", jvms.resolve("jdk-25").toString()), "run", "x");

        assertTrue(calls().getLast().startsWith("java jdk-25 "), calls().getLast());
    }

    @Test
    void javaOfThePath_isPreferredToTheUsualFolders() throws IOException, InterruptedException {
        jdk("jdk-27", "27");
        Files.createSymbolicLink(tools.resolve("java"), jvms.resolve("jdk-25/bin/java"));

        dsm("run", "x");

        assertTrue(calls().getLast().startsWith("java jdk-25 "), calls().getLast());
    }

    @Test
    void noMaven_isTold() throws IOException, InterruptedException {
        Files.delete(tools.resolve("mvn"));

        Said said = dsm("run", "x");

        assertEquals(USAGE, said.status());
        assertTrue(said.err().startsWith("dsm: Maven is needed to build"), said.err());
    }

    @Test
    void noCompiler_isTold() throws IOException, InterruptedException {
        Files.delete(tools.resolve("cc"));

        Said said = dsm("run", "x");

        assertEquals(USAGE, said.status());
        assertTrue(said.err().startsWith("dsm: a C compiler is needed"), said.err());
        assertEquals(List.of(), calls());
    }

    @Test
    void nothingStale_needsNeitherMavenNorCompiler() throws IOException, InterruptedException {
        dsm("build");
        Files.delete(tools.resolve("mvn"));
        Files.delete(tools.resolve("cc"));

        assertEquals(0, dsm("run", "x").status());
    }

    @Test
    void test_checksFormatAndRunsAll() throws IOException, InterruptedException {
        dsm("test");
        dsm("test", "--all", "-Dtest=X");

        String always =
                "mvn -B -Dmaven.source.skip=true -Dmaven.javadoc.skip=true -ntp spotless:check"
                        + " verify -Dmuninn.checks -Dtests.after.packaging=e2e";
        assertTrue(calls().getFirst().startsWith(always + ";"), calls().getFirst());
        assertTrue(
                calls().getLast()
                        .startsWith(always + " -DexcludedGroups= -Dmuninn.all=true -Dtest=X;"),
                calls().getLast());
    }

    @Test
    void test_forgetsWhatWasCompiledWithoutItsChecks() throws IOException, InterruptedException {
        Path status = home.resolve("dsm-core/kernel/target/maven-status/maven-compiler-plugin");
        Path main = status.resolve("compile/default-compile/inputFiles.lst");
        Path tests = status.resolve("testCompile/default-testCompile/inputFiles.lst");
        for (Path list : List.of(main, tests)) {
            Files.createDirectories(list.getParent());
            Files.createFile(list);
        }

        dsm("test");
        assertFalse(Files.exists(main), "compiled before the first test");
        assertTrue(Files.exists(tests), "tests are not checked");

        Files.createFile(main);
        age(main);
        dsm("test");
        assertTrue(Files.exists(main), "compiled by the test before");

        Files.createFile(home.resolve("fail"));
        assertEquals(1, dsm("test").status());
        Files.setLastModifiedTime(main, FileTime.from(Instant.now().plusSeconds(1)));
        dsm("test");
        assertFalse(Files.exists(main), "compiled after the test before");
    }

    @Test
    void exitStatus_isTheCommands() throws IOException, InterruptedException {
        dsm("build");
        script(jvms.resolve("jdk-25/bin/java"), "exit 3");

        assertEquals(3, dsm("run", "x").status());
    }
}
