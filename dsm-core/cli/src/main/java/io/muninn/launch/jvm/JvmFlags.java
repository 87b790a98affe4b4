package io.muninn.launch.jvm;

import io.muninn.agent.memory.Engines;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.application.ApplicationMain;
import io.muninn.transport.local.LocalNodes;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command lines of the JVMs of a run. All use the same JDK and the same jars. An agent has the
 * flags of {@code agent.jvm}, which {@code ./dsm} passes to the launcher as well; an application
 * has few flags besides its user's. Each process passes the folder of native libraries, {@code
 * -Dmuninn.native}, to its children, so that no library is unpacked into a temporary folder.
 */
public final class JvmFlags {
    private static final String NATIVE = "muninn.native";
    private static final String MODULE_PATH = "jdk.module.path";

    /** Views of a JVM with this property show every access to a simulation. */
    private static final String SIMULATED = "muninn.simulated";

    /** The flags of an agent; the script {@code ./dsm} reads the file, too. */
    private static final String AGENT_FLAGS = "/io/muninn/launch/agent.jvm";

    private static final String LOG_LEVEL = "org.slf4j.simpleLogger.log.io.muninn";

    /** The main class of launchers, which uses this package. */
    static final String LAUNCHER = "io.muninn.launch.Main";

    /** The line in the file after which the optional flags of an agent follow. */
    private static final String TUNING = "# -Dmuninn.agent-tuning=off";

    /** A flag of JVMs that run no code for long. */
    private static final String C1_ALONE = "-XX:TieredStopAtLevel=1";

    /** The command that starts other JVMs and waits; {@code ./dsm} adds the same flag to it. */
    private static final String RUN = "run";

    /** The heap with which an agent of one node begins, as in {@code agent.jvm}. */
    private static final int HEAP_MIB = 96;

    private static final int YOUNG_MIB = 16;

    /**
     * The heap for each further node: tables of pages, vector timestamps, connections of threads.
     */
    private static final int HEAP_MIB_OF_A_NODE = 32;

    private static final int YOUNG_SHARE = 8;

    /** A resource of a jar has the URL {@code jar:URL!/NAME}. */
    private static final String JAR = "jar:";

    private static final String IN_JAR = "!/";

    private JvmFlags() {}

    /**
     * Returns the command line of a JVM that executes a command of {@code dsm}. Only that of a run
     * has C1 alone: others become agents, or simulate.
     *
     * @param arguments beginning with the command; or none, if the caller adds them
     */
    public static List<String> command(List<String> arguments) {
        List<String> command =
                ours(StartCaches.LAUNCHERS, agentFlags(), classPath(), LAUNCHER, arguments);
        if (!arguments.isEmpty() && arguments.getFirst().equals(RUN)) {
            command.add(1, C1_ALONE);
        }
        command.add(1, "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        return command;
    }

    /** Returns the command line of a command that simulates a program. */
    public static List<String> simulator(List<String> arguments) {
        List<String> command = command(arguments);
        command.add(1, "-D" + SIMULATED + "=true");
        return command;
    }

    /**
     * Returns the command line of an agent, which reads its configuration from its launcher's pipe.
     *
     * @param arguments shown in the list of processes
     */
    public static List<String> agent(List<String> arguments) {
        return agent(LaunchedAgent.class.getName(), arguments);
    }

    /** As {@link #agent}, with another main class. */
    public static List<String> agent(String mainClass, List<String> arguments) {
        return ours(StartCaches.AGENTS, agentFlags(), agentClassPath(), mainClass, arguments);
    }

    /**
     * Returns the command line of an agent whose heap begins with room for several nodes.
     *
     * @param agent the command line of an agent that serves one node
     */
    public static List<String> withRoomFor(int nodes, List<String> agent) {
        List<String> command = new ArrayList<>(agent);
        if (nodes > 1 && command.contains("-Xms" + HEAP_MIB + "m")) { // the last such flag counts
            int more = (nodes - 1) * HEAP_MIB_OF_A_NODE;
            command.addAll(
                    command.indexOf("-cp"),
                    List.of(
                            "-Xms" + (HEAP_MIB + more) + "m",
                            "-Xmn" + (YOUNG_MIB + more / YOUNG_SHARE) + "m"));
        }
        return command;
    }

    /**
     * Sets what this process logs, unless it has logged before.
     *
     * @param level error, warn, info, debug or trace
     */
    public static void setLogLevel(String level) {
        System.setProperty(LOG_LEVEL, level);
    }

    /** Returns the command line of an agent that logs at another level. */
    public static List<String> withLogLevel(String level, List<String> agent) {
        List<String> command = new ArrayList<>(agent);
        command.add(command.indexOf("-cp"), "-D" + LOG_LEVEL + "=" + level);
        return command;
    }

    /** Returns the command line of an agent that compares messages with their encodings. */
    public static List<String> withCheckedCodecs(List<String> agent) {
        List<String> command = new ArrayList<>(agent);
        command.add(1, "-D" + LocalNodes.CHECKS_CODECS + "=true");
        return command;
    }

    /** Returns the command line of an agent that compiles without C2. */
    public static List<String> withoutC2(List<String> agent) {
        List<String> command = new ArrayList<>(agent);
        command.add(1, C1_ALONE);
        return command;
    }

    /** As {@link #agent}, with the necessary flags only. */
    public static List<String> plainAgent(List<String> arguments) {
        return ours(
                StartCaches.AGENTS,
                neededAgentFlags(),
                agentClassPath(),
                LaunchedAgent.class.getName(),
                arguments);
    }

    /** Returns the command line of a JVM with an agent's flags and this JVM's class path. */
    public static List<String> ours(String mainClass, List<String> arguments) {
        return ours(StartCaches.AGENTS, agentFlags(), classPath(), mainClass, arguments);
    }

    private static List<String> ours(
            String cache,
            List<String> flags,
            String classPath,
            String mainClass,
            List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(flags);
        command.addAll(StartCaches.flagsOfOurs(cache));
        command.addAll(nativeFlags());
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(arguments);
        return command;
    }

    /**
     * The command line of an application that runs a built-in program or a class of the user.
     *
     * @param program the built-in program; empty for a class of the user
     * @param flags the user's flags for this JVM; they take precedence
     * @param classPath the user's class path, appended to Muninn's
     * @param words the program's name, or {@code --class} and a class, then its options
     */
    public static List<String> application(
            Optional<BuiltInProgram> program,
            List<String> flags,
            List<Path> classPath,
            List<String> words) {
        List<String> command = new ArrayList<>(applicationFlags());
        command.addFirst(java());
        command.addAll(nativeFlags());
        program.map(JvmFlags::classOf).ifPresent(command::add);
        command.addAll(flags);
        command.addAll(1, StartCaches.applicationFlags(command));
        StringBuilder path = new StringBuilder(applicationClassPath(program));
        classPath.forEach(entry -> path.append(':').append(entry.toAbsolutePath()));
        command.addAll(List.of("-cp", path.toString(), ApplicationMain.class.getName()));
        command.addAll(words);
        return command;
    }

    /** Returns the flag that names the class of a program, so that no jar is searched for it. */
    private static String classOf(BuiltInProgram program) {
        return "-D" + ApplicationMain.CLASS_PROPERTY + "=" + program.getClass().getName();
    }

    /** Redirects the standard output of a command to standard error, in the same process. */
    public static List<String> onStandardError(List<String> command) {
        List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\" >&2", "sh"));
        all.addAll(command);
        return all;
    }

    /** Returns the flags with which an application writes a recording of its own to a folder. */
    public static List<String> recording(Path folder) {
        return List.of(
                "-XX:StartFlightRecording=filename=" + folder.resolve("application-%p.jfr"),
                "-Xlog:jfr+startup=error", // otherwise it announces the recording
                "-D" + ApplicationMain.RECORDS_CALLS + "=true");
    }

    /** Returns the flag with which an application records what it loads. */
    public static String recordingLoads() {
        return "-D" + ApplicationMain.GUARDED + "=true";
    }

    static List<String> applicationFlags() {
        return List.of("--enable-native-access=ALL-UNNAMED", "-XX:-UsePerfData");
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /**
     * Returns the class path of this JVM. The jars of a module path are part of it. If a class
     * loader with jars of its own has loaded this class, as in a build tool, the class path is that
     * of the loader.
     */
    static String classPath() {
        if (JvmFlags.class.getClassLoader() instanceof URLClassLoader loader
                && loader.getURLs().length > 0) {
            return joined(
                    Arrays.stream(loader.getURLs())
                            .map(url -> Path.of(URI.create(url.toString())))
                            .toList());
        }
        String classPath = System.getProperty("java.class.path", "");
        String modules = System.getProperty(MODULE_PATH, "");
        return Stream.of(classPath, modules)
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /**
     * Returns the entries of this JVM's class path that are jars or folders, except those that
     * every application has.
     */
    public static List<Path> classPathOfPrograms() {
        Set<Path> ours = origins(ApplicationMain.parts().stream());
        return entries().stream()
                .filter(entry -> Files.exists(entry) && !ours.contains(entry))
                .toList();
    }

    /**
     * Returns the class path of applications: the API, the classes that attach to an agent, and the
     * jars of built-in programs up to the program's own jar, which may use those before it. It is
     * short because a JVM that searches for a service opens every jar.
     *
     * @param program empty for a class of the user
     */
    static String applicationClassPath(Optional<BuiltInProgram> program) {
        Set<Path> needed = origins(ApplicationMain.parts().stream());
        List<Path> ofPrograms = ProgramJars.IN_ORDER;
        Path last = program.map(each -> origin(each.getClass())).orElse(Path.of(""));
        int used = Math.max(ofPrograms.indexOf(last), 0) + 1;
        needed.addAll(ofPrograms.subList(0, Math.min(used, ofPrograms.size())));
        List<Path> found = entries().stream().filter(needed::contains).toList();
        return found.size() < needed.size() ? classPath() : joined(found);
    }

    /** Returns the class path of agents, which run no program. */
    private static String agentClassPath() {
        return joined(
                entries().stream().filter(entry -> !ProgramJars.IN_ORDER.contains(entry)).toList());
    }

    /** Searches the class path for programs once, when the first command line needs them. */
    private static final class ProgramJars {
        /** The jars that hold nothing but built-in programs, in the order of the class path. */
        static final List<Path> IN_ORDER = find();

        private static List<Path> find() {
            Set<Path> found =
                    origins(
                            ServiceLoader.load(BuiltInProgram.class).stream()
                                    .map(ServiceLoader.Provider::type));
            found.removeAll(origins(ApplicationMain.parts().stream()));
            found.remove(origin(JvmFlags.class));
            return entries().stream().filter(found::contains).distinct().toList();
        }
    }

    private static Set<Path> origins(Stream<? extends Class<?>> types) {
        return types.map(JvmFlags::origin).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The entries of the class path, absolute and in order. */
    private static List<Path> entries() {
        return Arrays.stream(classPath().split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().normalize())
                .toList();
    }

    private static String joined(List<Path> entries) {
        return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /**
     * The jar or folder of a class on the class path. A class's code source is not used: for a
     * class from a cache it is the place where the cache was created.
     */
    private static Path origin(Class<?> type) {
        String file = type.getName().replace('.', '/') + ".class";
        URL found = type.getClassLoader().getResource(file);
        if (found == null) {
            throw new IllegalStateException("class file " + file + " is missing");
        }
        String url = found.toString();
        String place = url.substring(0, url.length() - file.length());
        boolean isJar = place.startsWith(JAR);
        return Path.of(
                URI.create(
                        isJar
                                ? place.substring(JAR.length(), place.length() - IN_JAR.length())
                                : place));
    }

    /**
     * The flag for the native folder: that of this process, or the one into which libraries of jars
     * are unpacked. Empty if the folder is found next to the classes.
     */
    private static List<String> nativeFlags() {
        String folder =
                Optional.ofNullable(System.getProperty(NATIVE))
                        .or(() -> Engines.unpackedLibraries().map(Path::toString))
                        .orElse("");
        if (folder.isEmpty()) {
            return List.of();
        }
        return List.of(
                "-D" + NATIVE + "=" + folder,
                "-Djava.library.path=" + folder,
                "-Djna.boot.library.path=" + folder,
                "-Djna.nounpack=true");
    }

    /** Returns all flags of {@code agent.jvm}. */
    static List<String> agentFlags() {
        return flags(agentFile().stream());
    }

    private static List<String> neededAgentFlags() {
        return flags(agentFile().stream().takeWhile(line -> !line.startsWith(TUNING)));
    }

    private static List<String> flags(Stream<String> lines) {
        return lines.filter(line -> !line.isEmpty() && !line.startsWith("#")).toList();
    }

    private static List<String> agentFile() {
        try (InputStream in = JvmFlags.class.getResourceAsStream(AGENT_FLAGS)) {
            if (in == null) {
                throw new IllegalStateException("resource " + AGENT_FLAGS + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .toList();
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }
}
