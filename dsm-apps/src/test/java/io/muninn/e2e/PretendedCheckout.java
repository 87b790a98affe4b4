package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code ./dsm} in a pretended checkout, whose folder has a blank in its name, with a
 * Maven and JDKs that note how they were called.
 */
abstract class PretendedCheckout {
    static final int USAGE = 2;
    static final Path SCRIPT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolveSibling("dsm");

    @TempDir Path temporary;
    Path home = Path.of("");
    Path tools = Path.of("");
    Path calls = Path.of("");
    Path jvms = Path.of("");

    /** The output and the exit status of a command. */
    record Said(int status, String out, String err) {}

    @BeforeEach
    void pretend() throws IOException, InterruptedException {
        home = Files.createDirectories(temporary.resolve("a checkout"));
        tools = Files.createDirectories(temporary.resolve("tools"));
        jvms = Files.createDirectories(temporary.resolve("jvms"));
        calls = temporary.resolve("calls");
        Files.copy(SCRIPT, home.resolve("dsm"));
        Files.createDirectories(home.resolve(".mvn"));
        Files.createFile(home.resolve("pom.xml"));
        Files.createDirectories(home.resolve("dsm-core/kernel/src/main"));
        Files.createFile(home.resolve("dsm-core/kernel/pom.xml"));
        Files.createFile(home.resolve("dsm-core/kernel/src/main/A.java"));
        age(home);
        for (String tool :
                List.of(
                        "sh",
                        "cat",
                        "dirname",
                        "readlink",
                        "sed",
                        "head",
                        "grep",
                        "tr",
                        "find",
                        "mkdir",
                        "rm",
                        "mv",
                        "flock",
                        "stat",
                        "id",
                        "uname",
                        "touch",
                        "sleep")) {
            Files.createSymbolicLink(tools.resolve(tool), which(tool));
        }
        script(tools.resolve("cc"), "exit 0");
        script(
                tools.resolve("mvn"),
                "echo \"mvn $*; in $PWD; with $JAVA_HOME\" >> '" + calls + "'",
                "mkdir -p dsm-apps/target/lib dsm-apps/target/start",
                "mkdir -p dsm-apps/papers/target; touch dsm-apps/papers/target/dsm-papers.jar",
                "cd dsm-apps/target; touch lib/a.jar start/launchers.aot; cd ../..",
                "[ ! -e fail ] || exit 1");
        jdk("jdk-25", "25.0.3");
    }

    /** The checkout can be read by everybody, and written by root alone. */
    void protect() throws IOException {
        try (Stream<Path> files = Files.walk(temporary)) {
            for (Path file : files.toList()) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r-xr-xr-x"));
            }
        }
        Files.setPosixFilePermissions(calls, PosixFilePermissions.fromString("rw-rw-rw-"));
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** As a user who is not root: another one, if this one is. */
    ProcessBuilder asUser(String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = command(home.resolve("dsm"), Map.of(), arguments);
        if (System.getProperty("user.name").equals("root")) {
            List<String> words =
                    new ArrayList<>(
                            List.of(
                                    which("setpriv").toString(),
                                    "--reuid=65534",
                                    "--regid=65534",
                                    "--clear-groups"));
            words.addAll(builder.command());
            builder.command(words);
        }
        return builder;
    }

    @AfterEach
    void letTheFolderBeDeleted() throws IOException {
        try (Stream<Path> files = Files.walk(temporary)) {
            for (Path file : files.filter(Files::isDirectory).toList()) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }

    Said dsm(String... arguments) throws IOException, InterruptedException {
        return dsm(Map.of(), arguments);
    }

    Said dsm(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        return said(command(home.resolve("dsm"), environment, arguments));
    }

    Process start(Map<String, String> environment, String... arguments) throws IOException {
        return command(home.resolve("dsm"), environment, arguments).start();
    }

    ProcessBuilder command(Path script, Map<String, String> environment, String... arguments) {
        List<String> words = new ArrayList<>(List.of(script.toString()));
        words.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(words).directory(temporary.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", tools.toString());
        builder.environment().put("MUNINN_JVM_FOLDERS", jvms.toString());
        builder.environment().putAll(environment);
        return builder;
    }

    Said said(ProcessBuilder builder) throws IOException, InterruptedException {
        Path out = temporary.resolve("out");
        Path err = temporary.resolve("err");
        Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        int status = process.waitFor();
        return new Said(status, Files.readString(out), Files.readString(err));
    }

    List<String> calls() throws IOException {
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    long countCalls(String beginning) throws IOException {
        return calls().stream().filter(line -> line.startsWith(beginning)).count();
    }

    Path jdk(String name, String version) throws IOException {
        Path jdk = jvms.resolve(name);
        Files.createDirectories(jdk.resolve("bin"));
        script(jdk.resolve("bin/java"), "echo \"java " + name + " $*\" >> '" + calls + "'");
        script(
                jdk.resolve("bin/javac"),
                "echo \"javac " + name + " $*; with $CLASSPATH\" >> '" + calls + "'");
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        return jdk;
    }

    void deleteJdk(String name) throws IOException {
        Files.delete(jvms.resolve(name).resolve("release"));
        assertFalse(Files.exists(jvms.resolve(name).resolve("release")));
    }

    static void script(Path file, String... lines) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Sources are older than the files that are built from them. */
    static void age(Path folder) throws IOException {
        FileTime past = FileTime.from(Instant.now().minusSeconds(60));
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(file, past);
            }
        }
    }

    static Path which(String tool) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", "command -v " + tool).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> "there is no " + tool);
        return Path.of(text.strip());
    }
}
