package io.muninn.launch.option;

import io.muninn.agent.lifecycle.JavaVariables;
import io.muninn.application.ApplicationMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the JVMs of applications, common to {@code dsm run} and {@code dsm node}. */
final class ApplicationOptions {
    private static final String JVM_OPTION = "--jvm-option";
    private static final String DEBUG = "--debug";

    /** An option of one node, as in {@code 1:-Xmx1g}. */
    private static final Pattern OF_NODE = Pattern.compile("(\\d{1,9}):(-.*)");

    private static final Pattern COLLECTOR =
            Pattern.compile("-XX:\\+Use(Serial|Parallel|G1|Z|Shenandoah|Epsilon)GC");

    /** Stands for the node in an option. */
    private static final String ANY_NODE = "%n";

    @Option(
            names = "--gc",
            paramLabel = "GC",
            converter = Converters.CollectorName.class,
            description = "collector of application JVMs: G1, ZGC, Serial, Parallel, Shenandoah")
    private @Nullable String collector; // null for the JVM's choice

    @Option(
            names = JVM_OPTION,
            paramLabel = "[I:]OPT",
            parameterConsumer = Converters.JvmOption.class,
            description =
                    "option of application JVMs, as in --jvm-option -Xmx1g, or of those of node I,"
                            + " as in 1:-Xmx1g; %%n in it stands for the node; may be repeated")
    private List<String> jvmOptions = new ArrayList<>();

    @Option(
            names = DEBUG,
            paramLabel = "I",
            description =
                    "the application of node I waits for a debugger before it starts, on a port"
                            + " of the loopback address that is printed")
    private @Nullable Integer debugged; // null for none

    @Option(
            names = "--tag-output",
            description = "each line that an application prints begins with its node")
    private boolean tags;

    private OptionalInt debugPort = OptionalInt.empty(); // once it has been chosen

    /**
     * Checks the options.
     *
     * @param nodes of the run
     * @param processes of each node
     * @throws IllegalArgumentException whose text is for the user
     */
    void check(int nodes, int processes) {
        for (String option : jvmOptions) {
            Matcher ofNode = OF_NODE.matcher(option);
            if (ofNode.matches()) {
                Ranges.require(
                        "the node of " + JVM_OPTION + " " + option + ":",
                        Integer.parseInt(ofNode.group(1)),
                        0,
                        nodes - 1);
            } else if (!option.startsWith("-")) {
                throw new IllegalArgumentException(
                        JVM_OPTION
                                + " '"
                                + option
                                + "' is no option of a JVM: it does not begin with -");
            }
        }
        checkCollectors(JavaVariables.hidden());
        if (debugged != null) {
            Ranges.require(DEBUG, debugged, 0, nodes - 1);
            if (processes > 1) {
                throw new IllegalArgumentException(
                        DEBUG + " is for nodes of one process, not of " + processes);
            }
        }
    }

    /**
     * Checks that there are no two collectors, with which no JVM starts.
     *
     * @param variables of the environment, with options of JVMs
     */
    void checkCollectors(Map<String, String> variables) {
        Map<String, String> origins = new TreeMap<>();
        if (collector != null) {
            origins.put(Converters.CollectorName.flag(collector), "--gc " + collector);
        }
        for (String option : jvmOptions) {
            String flag = option.substring(option.indexOf('-'));
            if (COLLECTOR.matcher(flag).matches()) {
                origins.putIfAbsent(flag, JVM_OPTION + " " + option);
            }
        }
        variables.forEach((name, options) -> {
            for (String option : options.split("\\s+")) {
                if (COLLECTOR.matcher(option).matches()) {
                    origins.putIfAbsent(option, name + "=" + option);
                }
            }
        });
        if (origins.size() > 1) {
            throw new IllegalArgumentException(
                    "a JVM has one collector, and there are "
                            + String.join(" and ", origins.values())
                            + "; leave one out");
        }
    }

    /** True if there are options that only some user's JVMs have. */
    boolean hasJvmOptions() {
        return !jvmOptions.isEmpty();
    }

    /** True if a node waits for a debugger. */
    boolean isDebugged() {
        return debugged != null;
    }

    /** Returns what the user must know to debug a node, if it is one of these. */
    List<String> hints(int first, int last) {
        return debugged == null || debugged < first || debugged > last
                ? List.of()
                : List.of("node " + debugged + " waits for a debugger on port " + debugPort());
    }

    /** Returns the flags of the JVMs of a node; they take precedence over others. */
    List<String> flags(int node) {
        List<String> flags = new ArrayList<>();
        if (collector != null) {
            flags.add(Converters.CollectorName.flag(collector));
        }
        if (tags) {
            flags.add("-D" + ApplicationMain.TAG_PROPERTY + "=true");
        }
        if (debugged != null && debugged == node) {
            flags.add(
                    "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,quiet=y,address="
                            + InetAddress.getLoopbackAddress().getHostAddress()
                            + ":"
                            + debugPort());
        }
        for (String option : jvmOptions) {
            Matcher ofNode = OF_NODE.matcher(option);
            if (!ofNode.matches()) {
                flags.add(option);
            } else if (Integer.parseInt(ofNode.group(1)) == node) {
                flags.add(ofNode.group(2));
            }
        }
        flags.replaceAll(flag -> ofNode(flag, node));
        return flags;
    }

    /** Returns an option, with the number of a node wherever it stands for it. */
    static String ofNode(String option, int node) {
        return option.replace(ANY_NODE, Integer.toString(node));
    }

    /** A free port; the JVM would print one that it chooses among the output of the program. */
    private int debugPort() {
        if (debugPort.isEmpty()) {
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                debugPort = OptionalInt.of(free.getLocalPort());
            } catch (IOException cause) {
                throw new UncheckedIOException("no port for a debugger", cause);
            }
        }
        return debugPort.getAsInt();
    }
}
