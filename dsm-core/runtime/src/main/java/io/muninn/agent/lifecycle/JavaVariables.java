package io.muninn.agent.lifecycle;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The environment variables that contain options of JVMs. They are meant for applications: in a
 * launcher or an agent, a collector, a heap size or a debugger would do harm. So {@code ./dsm} and
 * launchers hide them under other names, and an agent restores them for its application.
 */
public final class JavaVariables {
    private static final String HIDDEN = "MUNINN_";
    private static final List<String> NAMES =
            List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private JavaVariables() {}

    /** The variables by which applications of this process get options, with their values. */
    public static Map<String, String> hidden() {
        Map<String, String> hidden = new TreeMap<>();
        for (String name : NAMES) {
            String options = System.getenv(HIDDEN + name);
            if (options != null) {
                hidden.put(name, options);
            }
        }
        return hidden;
    }

    /** Hides the variables in the environment of an agent. */
    public static void hide(Map<String, String> environment) {
        for (String name : NAMES) {
            String options = environment.remove(name);
            if (options != null) {
                environment.put(HIDDEN + name, options);
            }
        }
    }

    /** Restores hidden variables in the environment of an application. */
    static void restore(Map<String, String> environment) {
        for (String name : NAMES) {
            String options = environment.remove(HIDDEN + name);
            if (options != null) {
                environment.put(name, options);
            }
        }
    }
}
