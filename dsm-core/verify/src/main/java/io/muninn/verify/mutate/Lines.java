package io.muninn.verify.mutate;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Numbers for the lines of the kernel's methods. */
final class Lines {
    private final Map<String, TreeMap<Integer, Integer>> numbers = new HashMap<>(); // by method
    private int last;

    static String key(String className, String method) {
        return className + "." + method;
    }

    /**
     * Adds a line.
     *
     * @param index index of its first element in the code
     * @return its number
     */
    int add(String key, int index) {
        numbers.computeIfAbsent(key, _ -> new TreeMap<>()).put(index, ++last);
        return last;
    }

    int count() {
        return last;
    }

    /** The line of a mutant. */
    int of(Mutant mutant) {
        String key = key(mutant.className(), mutant.method());
        TreeMap<Integer, Integer> ofMethod = numbers.getOrDefault(key, new TreeMap<>());
        Map.Entry<Integer, Integer> line = ofMethod.floorEntry(mutant.index());
        return line != null ? line.getValue() : ofMethod.firstEntry().getValue();
    }
}
