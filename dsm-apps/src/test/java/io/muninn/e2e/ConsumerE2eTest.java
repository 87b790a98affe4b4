package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A project outside the checkout: installs two copies of the sources, in folders of different
 * names, into two local repositories, compares these, and builds the example project from one of
 * them with the commands of the guide. The repositories begin with what the build's own one has.
 */
@Tag("e2e")
@Tag("slow")
@Timeout(1800)
@Execution(ExecutionMode.SAME_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsumerE2eTest {
    private static final Path CHECKOUT = SourceCopy.CHECKOUT;
    private static final String TITLE = "## In your own project\n";
    private static final String PROMPT = "    $ ";
    private static final String INDENT = "    ";
    private static final Pattern REPLAY = Pattern.compile("This schedule again: (mvn .*)");

    private static final Pattern GRADLE = Pattern.compile("Gradle (\\d+)\\.(\\d+)");
    private static final int GRADLE_OLDEST = 901;

    private static final Pattern COLOUR = Pattern.compile("\\u001B\\[[0-9;]*m");

    /** Processes that belong to this test have the folder in their environment. */
    private static final String CACHE_VARIABLE = "XDG_CACHE_HOME";

    private Path folder = Path.of("");
    private Path repository = Path.of("");
    private Path consumer = Path.of("");
    private List<Command> guide = List.of();

    /**
     * A command of the guide.
     *
     * @param shown what it prints, as far as the guide says
     */
    private record Command(String text, List<String> shown) {}

    /** What a command has printed to both streams. */
    private record Said(int status, String text) {
        boolean contains(String line) {
            return text.lines().anyMatch(each -> each.strip().equals(line.strip()));
        }
    }

    @BeforeAll
    void install(@TempDir Path temporary) throws Exception {
        folder = temporary;
        guide = commands();
        repository = repositoryLikeOurs("repository");
        Path sources = SourceCopy.of(CHECKOUT, folder.resolve("sources"));
        consumer = SourceCopy.of(CHECKOUT.resolve("examples/consumer"), folder.resolve("consumer"));
        Said said = run(sources, repository, guide.getFirst().text());
        assertEquals(0, said.status(), said::text);
    }

    /** The commands of the guide's section, in order. */
    private static List<Command> commands() throws IOException {
        String all = Files.readString(CHECKOUT.resolve("docs/GUIDE.md"));
        int from = all.indexOf(TITLE);
        List<Command> commands = new ArrayList<>();
        for (String line : all.substring(from, all.indexOf("\n## ", from)).lines().toList()) {
            if (line.startsWith(PROMPT)) {
                commands.add(new Command(line.substring(PROMPT.length()), new ArrayList<>()));
            } else if (line.startsWith(INDENT) && !commands.isEmpty()) {
                commands.getLast().shown().add(line.strip());
            } else if (!commands.isEmpty() && !line.isEmpty()) {
                commands.add(new Command("", new ArrayList<>())); // what follows is no output
            }
        }
        commands.removeIf(command -> command.text().isEmpty());
        assertTrue(commands.getFirst().text().startsWith("mvn -q install "), commands::toString);
        return commands;
    }

    /** A local repository with the files of this build's, but none of Muninn's. */
    private Path repositoryLikeOurs(String name) throws Exception {
        Path ours = Path.of(System.getProperty("muninn.repository"));
        Path made = folder.resolve(name);
        String script = "cp -a \"$0\" \"$1\" && rm -rf \"$1/io/muninn\"";
        ProcessBuilder copy =
                new ProcessBuilder("sh", "-c", script, ours.toString(), made.toString());
        assertEquals(0, copy.inheritIO().start().waitFor());
        return made;
    }

    /** Runs a command as a user types it. */
    private Said run(Path where, Path local, String command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command);
        builder.directory(where.toFile()).redirectErrorStream(true);
        Path output = folder.resolve("output");
        builder.redirectOutput(output.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("MAVEN_OPTS", "-Dmaven.repo.local=" + local + " -Dstyle.color=never");
        environment.put(CACHE_VARIABLE, folder.resolve("cache").toString());
        int status = builder.start().waitFor();
        return new Said(status, COLOUR.matcher(Files.readString(output)).replaceAll(""));
    }

    private Command command(String beginning) {
        List<Command> found =
                guide.stream().filter(each -> each.text().startsWith(beginning)).toList();
        assertEquals(1, found.size(), () -> beginning + " in " + guide);
        return found.getFirst();
    }

    /** Runs a command of the guide, which prints what the guide shows. */
    private Said runAsShown(Command command, int status) throws Exception {
        Said said = run(consumer, repository, command.text());
        assertEquals(status, said.status(), said::text);
        assertTrue(!command.shown().isEmpty(), command::toString);
        for (String line : command.shown()) {
            assertTrue(said.contains(line), () -> "'" + line + "' is not in:\n" + said.text());
        }
        return said;
    }

    private static List<Path> files(Path folder, String end) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
        }
    }

    private Path installed() {
        return repository.resolve("io/muninn");
    }

    @Order(1)
    @Test
    void main_startsAClusterOfThreeNodes() throws Exception {
        Said said = runAsShown(command("mvn -q compile exec:java"), 0);

        assertTrue(said.text().contains("pi is"), said::text);
        assertNothingRuns();
    }

    @Order(2)
    @Test
    void tests_runOnProcessesAndInTheSimulator() throws Exception {
        List<Command> whole =
                guide.stream().filter(each -> each.text().equals("mvn test")).toList();
        assertEquals(1, whole.size(), guide::toString);

        runAsShown(whole.getFirst(), 0);

        String report =
                Files.readString(
                        files(consumer.resolve("target/surefire-reports"), "PiTest.xml")
                                .getFirst());
        assertTrue(report.contains("tests=\"2\""), report);
        assertNothingRuns();
    }

    @Order(3)
    @Test
    void testThatFails_namesTheCommandThatRepeatsIt() throws Exception {
        Said first = runAsShown(command("mvn test -Dtest=LostUpdateDemo"), 1);
        Matcher replay = REPLAY.matcher(first.text());
        assertTrue(replay.find(), first::text);

        Said again = run(consumer, repository, replay.group(1));

        assertEquals(1, again.status(), again::text);
        assertTrue(again.contains(replay.group()), again::text);
    }

    @Order(4)
    @Test
    void nativeLibraries_areUnpackedOnceForAllRuns() throws IOException {
        List<String> names =
                files(folder.resolve("cache"), ".so").stream()
                        .map(file ->
                                file.getFileName().toString().replaceAll("_(x86|aarch)_64", "_P"))
                        .sorted()
                        .toList();

        assertEquals(
                List.of(
                        "libdsmfault.so",
                        "libjnidispatch.so",
                        "libnetty_transport_native_epoll_P.so"),
                names);
    }

    @Order(5)
    @Test
    void program_runsWithJavaAlone_onTheClassPathAndOnTheModulePath() throws Exception {
        String list =
                "mvn -q dependency:build-classpath -Dmdep.outputFile=path -Dmdep.includeScope=";
        assertEquals(0, run(consumer, repository, list + "runtime").status());
        String jars = Files.readString(consumer.resolve("path")).strip();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Said said =
                run(
                        consumer,
                        repository,
                        java + " -cp target/classes:" + jars + " com.example.Pi 9000");
        assertEquals(0, said.status(), said::text);
        assertTrue(said.contains("done: pi is 3.141593"), said::text);

        Path module = folder.resolve("module");
        Files.createDirectories(module);
        Path info = module.resolve("module-info.java");
        Files.writeString(info, "module pi { requires io.muninn.api; opens com.example; }");
        String javac = java + "c -d " + module + "/classes -p " + jars + " " + info;
        String sources = " " + consumer.resolve("src/main/java/com/example/Pi.java");
        String run =
                java
                        + " -p "
                        + module
                        + "/classes:"
                        + jars
                        + " --add-modules ALL-MODULE-PATH -m pi/com.example.Pi 9000";
        Said modular = run(consumer, repository, javac + sources + " && " + run);
        assertEquals(0, modular.status(), modular::text);
        assertTrue(modular.contains("done: pi is 3.141593"), modular::text);
        assertNothingRuns();
    }

    @Order(6)
    @Test
    void everyJar_hasSourcesJavadocLicenceAndAModuleName() throws IOException {
        List<String> modules = new ArrayList<>();
        for (Path pom : files(installed(), ".pom")) {
            String name = pom.toString().substring(0, pom.toString().length() - 4);
            if (Files.exists(Path.of(name + ".jar"))) {
                assertTrue(Files.size(Path.of(name + "-sources.jar")) > 1000, name);
                assertTrue(Files.size(Path.of(name + "-javadoc.jar")) > 1000, name);
                moduleName(Path.of(name + ".jar")).ifPresent(modules::add);
            }
        }
        Set<String> expected =
                Set.of(
                        "io.muninn",
                        "io.muninn.kernel",
                        "io.muninn.junit",
                        "io.muninn.launch",
                        "io.muninn.nativefault",
                        "io.muninn.runtime",
                        "io.muninn.sim",
                        "io.muninn.api");
        assertEquals(new TreeSet<>(expected), new TreeSet<>(modules));

        for (String root : List.of("muninn-parent", "muninn-bom", "muninn")) {
            String pom = Files.readString(files(installed().resolve(root), ".pom").getFirst());
            assertTrue(pom.contains("<name>Apache-2.0</name>"), pom);
            assertTrue(pom.contains("<connection>scm:git:"), pom);
        }
    }

    private static Optional<String> moduleName(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            Attributes attributes = file.getManifest().getMainAttributes();
            return Optional.ofNullable(attributes.getValue("Automatic-Module-Name"));
        }
    }

    /** A reader of POMs that knows neither profiles nor properties of a platform. */
    @Order(7)
    @Test
    void publishedPom_dependsOnNothingOfThePlatformThatReadsIt() throws IOException {
        Path file = files(installed().resolve("muninn"), ".pom").getFirst();
        String pom = Files.readString(file);

        assertTrue(!pom.contains("${") && !pom.contains("<profile"), pom);
        assertTrue(!pom.contains("<parent>"), pom);
        String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        String platform = "linux-" + (machine.equals("amd64") ? "x86-64" : machine);
        assertTrue(pom.contains("<classifier>" + platform + "</classifier>"), pom);
        assertEquals(
                1, files(installed(), "-" + platform + ".jar").size(), () -> "jars of " + platform);
    }

    @Order(8)
    @Test
    void sameSources_makeTheSameJars() throws Exception {
        Path second = repositoryLikeOurs("second-repository");
        Path sources = SourceCopy.of(CHECKOUT, folder.resolve("elsewhere/with a blank/sources"));
        Said said = run(sources, second, guide.getFirst().text());
        assertEquals(0, said.status(), said::text);

        Map<String, Path> one = artifacts(installed());
        Map<String, Path> two = artifacts(second.resolve("io/muninn"));

        assertEquals(one.keySet(), two.keySet());
        assertTrue(one.size() > 30, one::toString);
        for (Map.Entry<String, Path> each : one.entrySet()) {
            byte[] expected = Files.readAllBytes(each.getValue());
            assertNotEquals(0, expected.length);
            assertArrayEquals(expected, Files.readAllBytes(two.get(each.getKey())), each.getKey());
        }
    }

    /** The POMs are all that Gradle needs; it is used where there is one that knows JDK 25. */
    @Order(9)
    @Test
    void gradle_buildsRunsAndTestsTheSameSources() throws Exception {
        Said version = run(consumer, repository, "gradle --version");
        Matcher number = GRADLE.matcher(version.text());
        boolean isNew =
                number.find()
                        && Integer.parseInt(number.group(1)) * 100
                                        + Integer.parseInt(number.group(2))
                                >= GRADLE_OLDEST;
        Assumptions.assumeTrue(isNew, "no Gradle of version 9.1 or newer");
        String local = " -Dmaven.repo.local=" + repository;

        Command main = command("gradle -q run");
        runAsShown(new Command(main.text() + local, main.shown()), 0);
        Said tests = run(consumer, repository, command("gradle test").text() + local);
        assertEquals(0, tests.status(), tests::text);
        Path results = consumer.resolve("build/test-results/test");
        String report = Files.readString(files(results, "PiTest.xml").getFirst());
        assertTrue(report.contains("tests=\"2\""), report);
        assertNothingRuns();
    }

    /** Jars and POMs by name. */
    private static Map<String, Path> artifacts(Path folder) throws IOException {
        Map<String, Path> all = new TreeMap<>();
        for (String end : List.of(".jar", ".pom")) {
            files(folder, end).forEach(file -> all.put(file.getFileName().toString(), file));
        }
        return all;
    }

    /** Every process of this test has its folder in its environment. */
    private void assertNothingRuns() {
        String mark = CACHE_VARIABLE + "=" + folder.resolve("cache");
        boolean isOver =
                MarkedProcesses.awaitUntil(Duration.ofSeconds(10), () -> marked(mark).isEmpty());
        assertTrue(isOver, () -> "still running: " + marked(mark));
    }

    private static List<Long> marked(String mark) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> environment(pid).contains(mark))
                .collect(Collectors.toList());
    }

    private static List<String> environment(long pid) {
        try {
            String all = Files.readString(new File("/proc/" + pid + "/environ").toPath());
            return List.of(all.split("\0"));
        } catch (IOException | java.io.UncheckedIOException gone) {
            return List.of();
        }
    }
}
