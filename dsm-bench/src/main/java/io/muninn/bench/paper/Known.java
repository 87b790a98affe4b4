package io.muninn.bench.paper;

import java.util.Map;

/** Look-ups of what has been read or run before. */
final class Known {
    private Known() {}

    /**
     * @throws IllegalArgumentException if the map does not have the name
     */
    static <V> V of(Map<String, V> all, String name) {
        V found = all.get(name);
        if (found == null) {
            throw new IllegalArgumentException("'" + name + "' is none of " + all.keySet());
        }
        return found;
    }
}
