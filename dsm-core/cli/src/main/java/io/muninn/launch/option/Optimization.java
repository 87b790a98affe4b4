package io.muninn.launch.option;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * An optimization that a run can leave out, so that its effect can be measured: {@code
 * -Dmuninn.mailboxes=off}. The properties are for measurements and tests; results do not depend on
 * them.
 */
public enum Optimization {
    /** Short calls of threads to their agent use shared memory if faults are signals. */
    MAILBOXES,

    /** JVMs start from the caches that the build has made. */
    START_CACHES,

    /** Agents have the flags of {@code agent.jvm} that make a small JVM faster. */
    AGENT_TUNING,

    /**
     * Agents compile frequently run code with C2. Without it a run of some seconds is faster, and a
     * long one slower.
     */
    AGENT_C2,

    /**
     * Messages between nodes of one agent are passed as objects. Without it each is decoded from
     * its bytes and compared, to check the codecs.
     */
    HANDOVER;

    private static final String PREFIX = "muninn.";

    String property() {
        return PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean isOn(Map<String, String> properties) {
        return !Converters.OFF.equals(properties.get(property()));
    }

    /** Returns the properties that are the program's own: all but those of this name space. */
    public static Map<String, String> others(Map<String, String> properties) {
        Map<String, String> others = new TreeMap<>(properties);
        others.keySet().removeIf(property -> property.startsWith(PREFIX));
        return others;
    }

    /**
     * Checks the properties that are not the program's own.
     *
     * @throws IllegalArgumentException for a property that does not exist, or a value that is
     *     neither on nor off; the text is for the user
     */
    static void check(Map<String, String> properties) {
        List<String> known = Arrays.stream(values()).map(Optimization::property).toList();
        properties.forEach((property, value) -> {
            if (property.startsWith(PREFIX) && !known.contains(property)) {
                throw new IllegalArgumentException(
                        "unknown property '"
                                + property
                                + "'"
                                + DidYouMean.of(property, known)
                                        .map(near -> "; did you mean " + near + "?")
                                        .orElse("")
                                + " (known: "
                                + String.join(", ", known)
                                + ")");
            }
            boolean isSwitch = Converters.ON.equals(value) || Converters.OFF.equals(value);
            if (known.contains(property) && !isSwitch) {
                throw new IllegalArgumentException(
                        "-D" + property + "=" + value + " is neither on nor off");
            }
        });
    }
}
