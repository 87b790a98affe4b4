package io.muninn.model;

import java.nio.charset.StandardCharsets;

/** The rule for names that are sent between nodes: short and not empty. */
public final class Names {
    /** Longest name of a variable, lock, barrier or object, in bytes of UTF-8. */
    public static final int BYTES_MAX = 200;

    private Names() {}

    /**
     * Checks a name.
     *
     * @param kind the kind of thing named, for the message
     * @throws IllegalArgumentException if the name is empty or longer than {@link #BYTES_MAX}
     */
    public static void check(String kind, String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > BYTES_MAX) {
            throw new IllegalArgumentException(
                    kind + " name '" + name + "' has " + bytes + " bytes, not 1.." + BYTES_MAX);
        }
    }
}
