package io.muninn.model;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The rule for names that are sent between nodes: Unicode text, short and not empty. Two names that
 * differ are different on every node.
 */
public final class Names {
    /**
     * Longest name of a variable, lock, barrier, condition, object or reduction, in bytes of UTF-8.
     */
    public static final int BYTES_MAX = 200;

    private Names() {}

    /**
     * Checks a name.
     *
     * @param kind the kind of thing named, for the message
     * @throws IllegalArgumentException if the name is empty, longer than {@link #BYTES_MAX}, or has
     *     an unpaired surrogate: nodes could not distinguish it from others
     */
    public static void check(String kind, String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > BYTES_MAX) {
            throw new IllegalArgumentException(
                    kind + " name '" + name + "' has " + bytes + " bytes, not 1.." + BYTES_MAX);
        }
        int unpaired = Surrogates.firstUnpaired(name, 0);
        if (unpaired != Surrogates.NONE) {
            throw new IllegalArgumentException(
                    kind
                            + " name '"
                            + name
                            + "' has an unpaired surrogate, U+"
                            + Integer.toHexString(name.charAt(unpaired)).toUpperCase(Locale.ROOT)
                            + " at index "
                            + unpaired
                            + "; a name is Unicode text");
        }
    }
}
