package io.muninn.sim.machine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A file of models, in sections of rows:
 *
 * <pre>
 * # a comment
 * [model]
 * parameter | value | where it is from
 * [other model : model]
 * parameter | value that differs from the model | where it is from
 * </pre>
 *
 * @param models values by parameter, by model in order
 */
record ModelFile(Map<String, Map<String, Long>> models) {
    private static final String RESOURCE = "smp-models.txt";
    private static final int CELLS = 3;

    /** The values of a model, each to be taken once. */
    static final class Values {
        private final String model;
        private final Map<String, Long> left;

        private Values(String model, Map<String, Long> all) {
            this.model = model;
            left = new TreeMap<>(all);
        }

        long take(String parameter) {
            Long value = left.remove(parameter);
            if (value == null) {
                throw new IllegalArgumentException("[" + model + "] has no " + parameter);
            }
            return value;
        }

        int takeInt(String parameter) {
            return Math.toIntExact(take(parameter));
        }

        void checkEmpty() {
            if (!left.isEmpty()) {
                throw new IllegalArgumentException("[" + model + "]: unknown " + left.keySet());
            }
        }
    }

    static ModelFile read() {
        try (InputStream in = ModelFile.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("resource " + RESOURCE + " is missing");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    /**
     * @throws IllegalArgumentException if a line is malformed, with its number
     */
    static ModelFile parse(String text) {
        Map<String, Map<String, Long>> models = new LinkedHashMap<>();
        Map<String, Long> current = null;
        int number = 0;
        for (String line : text.lines().map(String::strip).toList()) {
            number++;
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (line.startsWith("[") && line.endsWith("]")) {
                String[] names = line.substring(1, line.length() - 1).split(":", -1);
                current = new TreeMap<>(names.length < 2 ? Map.of() : base(models, names[1]));
                models.put(names[0].strip(), current);
            } else if (current == null) {
                throw new IllegalArgumentException("line " + number + ": no model before it");
            } else {
                addRow(current, line, number);
            }
        }
        return new ModelFile(models);
    }

    private static Map<String, Long> base(Map<String, Map<String, Long>> models, String name) {
        Map<String, Long> base = models.get(name.strip());
        if (base == null) {
            throw new IllegalArgumentException("no model " + name.strip() + " to begin with");
        }
        return base;
    }

    private static void addRow(Map<String, Long> model, String line, int number) {
        String[] cells = line.split("\\|", -1);
        if (cells.length != CELLS || cells[2].isBlank()) {
            throw new IllegalArgumentException(
                    "line " + number + ": not a parameter, a value and its source");
        }
        long value = Long.parseLong(cells[1].strip());
        if (value < 0) {
            throw new IllegalArgumentException("line " + number + ": negative");
        }
        model.put(cells[0].strip(), value);
    }

    List<String> names() {
        return List.copyOf(models.keySet());
    }

    /**
     * @throws IllegalArgumentException if there is no such model
     */
    Values model(String name) {
        Map<String, Long> all = models.get(name);
        if (all == null) {
            throw new IllegalArgumentException("no model " + name + " among " + models.keySet());
        }
        return new Values(name, all);
    }
}
