package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * {@code ./dsm dist} in two copies of the sources, in folders of different names, and what it has
 * written: unpacked, without write permission for anybody, used by somebody who is not its owner,
 * on a PATH without Maven, compiler and git.
 */
@Tag("e2e")
@Tag("slow")
@Timeout(1800)
@Execution(ExecutionMode.SAME_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DistributionE2eTest {
    /** What the script needs, and {@code env}; all else is Java. */
    private static final List<String> TOOLS =
            List.of(
                    "sh",
                    "cat",
                    "dirname",
                    "id",
                    "locale",
                    "readlink",
                    "sed",
                    "stat",
                    "tr",
                    "uname");

    private static final String NOBODY = "65534";

    private Path folder = Path.of("");
    private Path unpacked = Path.of("");
    private Path tools = Path.of("");
    private Path work = Path.of("");

    private record Said(int status, String out, String err) {
        Said assertStatus(int expected) {
            assertEquals(expected, status, this::toString);
            return this;
        }
    }

    @BeforeAll
    void unpack(@TempDir Path temporary) throws Exception {
        folder = temporary;
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        tools = Files.createDirectory(folder.resolve("tools"));
        for (String tool : TOOLS) {
            Files.createSymbolicLink(tools.resolve(tool), PretendedCheckout.which(tool));
        }
        work = Files.createDirectory(folder.resolve("work"));
        Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path archive = distribution(folder.resolve("sources"));
        Path place = Files.createDirectory(folder.resolve("a place"));
        shell("tar -xzf '" + archive + "' -C '" + place + "' && chmod -R a-w '" + place + "'");
        try (Stream<Path> entries = Files.list(place)) {
            unpacked = entries.findFirst().orElseThrow();
        }
    }

    @AfterAll
    void letTheFolderBeDeleted() throws Exception {
        shell("chmod -R u+w '" + folder + "'");
    }

    /** Builds the sources in a folder, and returns what was written. */
    private Path distribution(Path sources) throws Exception {
        SourceCopy.of(SourceCopy.CHECKOUT, sources);
        ProcessBuilder dsm = new ProcessBuilder(sources.resolve("dsm").toString(), "dist");
        Map<String, String> environment = dsm.environment();
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put(
                "MAVEN_OPTS", "-Dmaven.repo.local=" + System.getProperty("muninn.repository"));
        Said said = said(dsm).assertStatus(0);
        return Path.of(said.out().strip());
    }

    private void shell(String line) throws Exception {
        said(new ProcessBuilder("sh", "-c", line)).assertStatus(0);
    }

    private Said said(ProcessBuilder builder) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        builder.redirectOutput(out.toFile()).redirectError(err.toFile());
        int status = builder.start().waitFor();
        return new Said(status, Files.readString(out), Files.readString(err));
    }

    /** Runs the script as a user who may write to one folder, which is not the distribution's. */
    private Said dsm(String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            String reuid = "--reuid=" + NOBODY;
            words.addAll(List.of("setpriv", reuid, "--regid=" + NOBODY, "--clear-groups"));
        }
        words.add(unpacked.resolve("dsm").toString());
        words.addAll(List.of(arguments));
        if (!words.getFirst().startsWith("/")) {
            words.set(0, PretendedCheckout.which(words.getFirst()).toString());
        }
        ProcessBuilder builder = new ProcessBuilder(words).directory(work.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", tools.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return said(builder);
    }

    @Test
    void sameSources_makeTheSameBytes() throws Exception {
        Path name = unpacked.getFileName();
        Path one = folder.resolve("sources/target/" + name + ".tar.gz");
        Path two = distribution(folder.resolve("elsewhere/with a blank/sources"));

        assertEquals(one.getFileName(), two.getFileName());
        assertTrue(Files.size(one) > 1 << 20);
        assertEquals(-1, Files.mismatch(one, two));
    }

    @Test
    void programs_runAndAreSimulated() throws Exception {
        String hello = dsm("run", "-n", "2", "hello").assertStatus(0).out();
        assertTrue(hello.contains("\nverified: every node read 42\n"), hello);
        String diff = dsm("sim", "-n", "4", "diff", "--rows", "64").assertStatus(0).out();
        assertTrue(diff.startsWith("verified: "), diff);
        String list = dsm("programs").assertStatus(0).out();
        assertTrue(list.contains("\nhello ") && list.contains("\ntsp-f "), list);
    }

    @Test
    void doctor_examinesAndRuns() throws Exception {
        String text = dsm("doctor", "--all").assertStatus(0).out();

        assertTrue(text.contains("\nok       dsm run -n 2 hello "), text);
        assertTrue(text.contains("\nok       dsm sim -n 4 diff "), text);
    }

    @Test
    void ownProgram_isCompiledAndRun() throws Exception {
        String source =
                """
                import io.muninn.api.*;

                public final class Own implements DsmProgram {
                    @Shared(Protocol.CONVENTIONAL)
                    private final LongArray sum = LongArray.of(1);

                    @Override
                    public void run(DsmNode node) {
                        sum.getAndAdd(0, 1);
                    }

                    @Override
                    public Verdict verify(DsmNode root) {
                        String text = "sum " + sum.get(0);
                        return sum.get(0) == 2 ? Verdict.right(text) : Verdict.wrong(text);
                    }
                }
                """;
        Path file = Files.writeString(work.resolve("Own.java"), source);

        assertEquals("", dsm("javac", "-d", "classes", file.toString()).assertStatus(0).err());
        String out = dsm("run", "-n", "2", "--class-path", "classes", "Own").assertStatus(0).out();
        assertTrue(out.startsWith("verified: sum 2\n"), out);
    }

    @Test
    void versionHelpAndCompletion_areThereAndTheBuildIsNot() throws Exception {
        String version = dsm("--version").assertStatus(0).out();
        assertEquals(
                unpacked.getFileName() + "", version.split("\n")[0].replace("Muninn ", "muninn-"));
        assertTrue(dsm("completion", "bash").assertStatus(0).out().contains("--engine"));
        assertTrue(dsm("--help").assertStatus(0).out().startsWith("usage: dsm COMMAND"));
        assertTrue(dsm("build").assertStatus(2).err().contains(" may not write to " + unpacked));
        assertTrue(dsm("test").assertStatus(2).err().contains("is a command of a checkout"));
    }

    /** The owner can make caches, with which programs still run. */
    @Test
    void caches_areMadeByWhoMayWrite() throws Exception {
        Path own = Files.createDirectory(folder.resolve("own"));
        Path archive = folder.resolve("sources/target/" + unpacked.getFileName() + ".tar.gz");
        shell("tar -xzf '" + archive + "' -C '" + own + "'");
        Path script = own.resolve(unpacked.getFileName()).resolve("dsm");

        for (String command : List.of("build", "run -n 2 hello")) {
            ProcessBuilder builder = new ProcessBuilder("sh", "-c", "'" + script + "' " + command);
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            said(builder).assertStatus(0);
        }

        for (String cache : List.of("launchers.aot", "agents.aot", "applications.aot")) {
            assertTrue(Files.size(script.resolveSibling("start").resolve(cache)) > 1 << 20, cache);
        }
    }
}
