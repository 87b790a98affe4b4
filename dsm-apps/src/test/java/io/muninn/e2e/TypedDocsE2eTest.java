package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muninn.e2e.TypedDoc.Command;
import io.muninn.e2e.TypedDoc.Difference;
import io.muninn.e2e.TypedDoc.Elsewhere;
import io.muninn.e2e.TypedDoc.Program;
import io.muninn.e2e.TypedDoc.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Types what the documents for users show, from top to bottom, and compares what is printed. */
@Tag("e2e")
class TypedDocsE2eTest {
    private static final Path CHECKOUT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
    private static final long COMMAND_SECONDS = 600;
    private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

    @TempDir private Path folder;

    @Tag("slow")
    @Timeout(3600)
    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/GUIDE.md", "docs/MIGRATION.md"})
    void document_isRightWhenItIsTyped(String name) throws Exception {
        assumeTrue(
                System.getProperty("muninn.packaged") != null,
                "needs jars: ./dsm test --all -Dtest=" + getClass().getSimpleName());
        linkCheckout();
        TypedDoc document = TypedDoc.of(name, Files.readString(CHECKOUT.resolve(name)));
        List<String> wrong = new ArrayList<>();
        for (Step step : document.steps()) {
            switch (step) {
                case Program program ->
                        Files.writeString(
                                folder.resolve(program.className() + ".java"), program.source());
                case Command command -> type(name, command).ifPresent(wrong::add);
                case Elsewhere elsewhere -> {}
            }
        }
        assertTrue(wrong.isEmpty(), () -> String.join("\n", wrong));
    }

    /** Cheap, and where a document's author looks: without a run. */
    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/GUIDE.md", "docs/MIGRATION.md"})
    void everyProgramIsTyped_andEveryTestThatTypesTheRestExists(String name) throws IOException {
        TypedDoc document = TypedDoc.of(name, Files.readString(CHECKOUT.resolve(name)));
        List<Step> steps = document.steps();
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i) instanceof Program program) {
                assertTrue(
                        steps.subList(i, steps.size()).stream()
                                .anyMatch(step -> isRunOf(program.className(), step)),
                        () -> name + ":" + program.line() + ": no command runs the program");
            } else if (steps.get(i) instanceof Elsewhere elsewhere) {
                assertTrue(
                        isTest(elsewhere.test()),
                        () -> name + ":" + elsewhere.line() + ": no test " + elsewhere.test());
            }
        }
    }

    private static boolean isRunOf(String className, Step step) {
        return step instanceof Command command
                && (command.text().endsWith(" --class-path classes " + className)
                        || command.text().equals("java " + className + ".java"));
    }

    private static boolean isTest(String name) throws IOException {
        try (Stream<Path> files = Files.walk(CHECKOUT)) {
            return files.anyMatch(file -> file.endsWith(name + ".java"));
        }
    }

    /**
     * A checkout of its own whose sources and jars are those of the build, so that {@code ./dsm}
     * finds everything built and does not wait for the build that runs this test.
     */
    private void linkCheckout() throws IOException {
        Files.copy(CHECKOUT.resolve("dsm"), folder.resolve("dsm"));
        try (Stream<Path> all = Files.list(CHECKOUT)) {
            for (Path each : all.toList()) {
                String file = each.getFileName().toString();
                if (file.startsWith("dsm-") || file.equals("pom.xml") || file.equals(".mvn")) {
                    Files.createSymbolicLink(folder.resolve(file), each);
                }
            }
        }
        Path target = Files.createDirectory(folder.resolve("target"));
        for (String stamp : List.of("dsm", "dsm-verify", "dsm-bench")) {
            Path built = Files.createFile(target.resolve(stamp + ".stamp"));
            Files.setLastModifiedTime(built, FileTime.from(LATER)); // whoever edits meanwhile
        }
    }

    /** The links only: what they lead to is the build's. */
    @AfterEach
    void unlinkCheckout() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            for (Path each : all.filter(Files::isSymbolicLink).toList()) {
                Files.delete(each);
            }
        }
    }

    /** What is wrong with a command, if anything is. */
    private Optional<String> type(String name, Command command) throws Exception {
        MarkedProcesses processes = new MarkedProcesses();
        Path output = folder.resolve("typed.out");
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command.text());
        builder.directory(folder.toFile()).redirectErrorStream(true);
        builder.redirectInput(Path.of("/dev/null").toFile()).redirectOutput(output.toFile());
        String java = System.getProperty("java.home");
        builder.environment().put("JAVA_HOME", java);
        builder.environment().merge("PATH", java + "/bin", (others, own) -> own + ":" + others);
        processes.putInto(builder.environment());
        Process process = builder.start();
        try {
            boolean hasEnded = process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS);
            String printed = Files.readString(output);
            String where = name + ":" + command.line() + ": ";
            String what = "$ " + command.text() + "\n" + printed;
            if (!hasEnded) {
                return Optional.of(where + "has not ended\n" + what);
            }
            if (process.exitValue() != command.status()) {
                String status = "status " + process.exitValue() + " instead of ";
                return Optional.of(where + status + command.status() + "\n" + what);
            }
            Optional<Difference> difference = command.compare(printed);
            return difference.map(
                    each -> name + ":" + each.line() + ": shows " + each.shown() + "\n" + what);
        } finally {
            processes.killAll();
        }
    }

    private static final String SHORT =
            """
            ```java
            final class Short {}
            ```

                $ ./dsm run Short
                4 primes
                …
                run: 4 nodes, 0.37 s, 8.67 KiB, 0

                in two parts
            """;

    private static Command command(String document) {
        return (Command) TypedDoc.of("doc", document).steps().getLast();
    }

    @Test
    void outputIsCompared_withNumbersThatVaryInLinesWithATimeOnly() {
        Command command = command(SHORT);

        assertEquals("./dsm run Short", command.text());
        String right = "4 primes\nother\nrun: 4 nodes,  12 ms, 999 B, 1.5 s\n\nin two parts\n";
        assertEquals(Optional.empty(), command.compare(right));
        assertEquals(
                Optional.of(new Difference(6, "4 primes")),
                command.compare(right.replace("4 primes", "5 primes")));
        assertEquals(
                Optional.of(new Difference(10, "in two parts")),
                command.compare(right.replace("in two parts", "")));
        assertEquals(
                Optional.of(new Difference(5, "nothing like 'more'")),
                command.compare(right + "more\n"));
        assertEquals(
                Optional.of(new Difference(8, "run: 4 nodes, 0.37 s, 8.67 KiB, 0")),
                command(SHORT.replace("dsm run", "dsm sim")).compare(right));
    }

    @Test
    void noteBeforeABlock_isOfThatBlock() {
        String block = "<!-- typed elsewhere: ATest -->\n\n    $ a\n";
        String next =
                "<!-- typed first: b -->\n<!-- typed status: 2 -->\n\n    $ c \\\n        d\n";

        assertEquals(
                List.of(
                        new Elsewhere(1, "ATest"),
                        new Command(6, "b", 0, List.of()),
                        new Command(9, "c \\\n        d", 2, List.of())),
                TypedDoc.of("doc", block + "\ntext\n" + next).steps());
        for (String stray : List.of("<!-- typed often: c -->\n", "<!-- typed first: b -->\ntext")) {
            String message =
                    assertThrows(IllegalArgumentException.class, () -> TypedDoc.of("doc", stray))
                            .getMessage();
            assertTrue(message.startsWith("doc:"), message);
        }
    }

    @Test
    void programsAreWrittenInOrder() {
        assertEquals(
                new Program(2, "Short", "final class Short {}\n"),
                TypedDoc.of("doc", SHORT).steps().getFirst());
    }
}
