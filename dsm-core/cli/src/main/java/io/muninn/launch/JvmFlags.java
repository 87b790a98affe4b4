package io.muninn.launch;

import io.muninn.api.spi.BuiltInProgram;
import io.muninn.application.ApplicationMain;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.ServiceLoader.Provider;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How the JVMs of a run are started. All run from the same JDK and the same jars; an agent has the
 * flags of {@code agent.jvm}, which {@code ./dsm} passes to the launcher as well; an application
 * has few of ours and what its user asks for. The folder of native libraries, given to the first
 * process of a run as {@code -Dmuninn.native}, passes from parent to child, so that nothing is ever
 * unpacked into a temporary folder.
 */
final class JvmFlags {
    private static final String NATIVE = "muninn.native";
    private static final String AGENT_FLAGS = "agent.jvm";

    /** Begins the line of the file behind which stands what an agent can do without. */
    private static final String TUNING = "# -Dmuninn.agent-tuning=off";

    /** A launcher has nothing to do for long; the script gives its own the same. */
    private static final String LAUNCHER_FLAG = "-XX:TieredStopAtLevel=1";

    /** A resource of a jar has the URL {@code jar:URL!/NAME}. */
    private static final String JAR = "jar:";

    private static final String IN_JAR = "!/";

    private JvmFlags() {}

    /** A command of ours in a process of its own. */
    static List<String> command(List<String> arguments) {
        List<String> command =
                ours(StartCaches.LAUNCHERS, agentFlags(), Main.class.getName(), arguments);
        command.add(1, LAUNCHER_FLAG);
        command.add(1, "-Djava.io.tmpdir=" + TemporaryFolder.path());
        return command;
    }

    /**
     * An agent that this process will tell its configuration.
     *
     * @param arguments for people who look at the list of processes
     */
    static List<String> agent(List<String> arguments) {
        return ours(LaunchedAgent.class.getName(), arguments);
    }

    /** As {@link #agent}, with the flags alone that it cannot do without. */
    static List<String> plainAgent(List<String> arguments) {
        return ours(
                StartCaches.AGENTS, neededAgentFlags(), LaunchedAgent.class.getName(), arguments);
    }

    /** A JVM with an agent's flags. */
    static List<String> ours(String mainClass, List<String> arguments) {
        return ours(StartCaches.AGENTS, agentFlags(), mainClass, arguments);
    }

    private static List<String> ours(
            String cache, List<String> flags, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(flags);
        command.addAll(StartCaches.flagsOfOurs(cache));
        command.addAll(nativeFlags());
        command.addAll(List.of("-cp", classPath(), mainClass));
        command.addAll(arguments);
        return command;
    }

    /**
     * The command of an application that runs a program of ours or a class of the user's.
     *
     * @param flags the user's own for this JVM; the last of two that differ counts
     * @param classPath the user's own, after Muninn's
     * @param words the program's name, or {@code --class} and a class, then its options
     */
    static List<String> application(
            Optional<String> collector,
            List<String> flags,
            List<Path> classPath,
            List<String> words) {
        List<String> command = new ArrayList<>(applicationFlags());
        command.addFirst(java());
        command.addAll(nativeFlags());
        collector.map(Converters.CollectorName::flag).ifPresent(command::add);
        command.addAll(flags);
        command.addAll(1, StartCaches.applicationFlags(command));
        StringBuilder path = new StringBuilder(applicationClassPath());
        classPath.forEach(entry -> path.append(':').append(entry.toAbsolutePath()));
        command.addAll(List.of("-cp", path.toString(), ApplicationMain.class.getName()));
        command.addAll(words);
        return command;
    }

    /** Spares an application the search for its program. */
    static String program(BuiltInProgram program) {
        return "-D" + ApplicationMain.CLASS_PROPERTY + "=" + program.getClass().getName();
    }

    /** The same command, whose standard output is its standard error; the process is the same. */
    static List<String> onStandardError(List<String> command) {
        List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\" >&2", "sh"));
        all.addAll(command);
        return all;
    }

    static List<String> applicationFlags() {
        return List.of("--enable-native-access=ALL-UNNAMED", "-XX:-UsePerfData");
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    static String classPath() {
        return System.getProperty("java.class.path");
    }

    /**
     * What applications are made of: the API and what attaches to an agent, and the built-in
     * programs. A JVM that looks for a service opens every jar there is.
     */
    static String applicationClassPath() {
        Stream<Class<?>> types =
                Stream.concat(
                        ApplicationMain.parts().stream(),
                        ServiceLoader.load(BuiltInProgram.class).stream().map(Provider::type));
        Set<Path> needed = types.map(JvmFlags::origin).collect(Collectors.toSet());
        List<String> entries =
                Arrays.stream(classPath().split(File.pathSeparator))
                        .filter(entry -> needed.remove(Path.of(entry).toAbsolutePath().normalize()))
                        .toList();
        return needed.isEmpty() ? String.join(File.pathSeparator, entries) : classPath();
    }

    /**
     * The jar or folder of a class, from the class path: the code source of a class from a cache is
     * the place where the cache was made.
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

    /** Empty when this process was given no folder; the classes then look beside themselves. */
    private static List<String> nativeFlags() {
        String folder = System.getProperty(NATIVE);
        if (folder == null) {
            return List.of();
        }
        return List.of(
                "-D" + NATIVE + "=" + folder,
                "-Djava.library.path=" + folder,
                "-Djna.boot.library.path=" + folder,
                "-Djna.nounpack=true");
    }

    /** All of the file. */
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
