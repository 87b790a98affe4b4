package io.muninn.bench;

import io.muninn.bench.series.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What processes write that measure, an operation or floor to a line. */
final class MeasuredLines {
    /** After the name: it cannot be measured here, for the reason that follows. */
    private static final String UNAVAILABLE = "unavailable";

    private MeasuredLines() {}

    /**
     * @param notes hears of what is not available
     */
    static List<Measured> read(List<String> lines, Consumer<String> notes) {
        List<Measured> all = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.split(" ");
            if (words.length > 1 && words[1].equals(UNAVAILABLE)) {
                notes.accept(line);
            } else {
                all.add(parse(line, words));
            }
        }
        return all;
    }

    private static Measured parse(String line, String[] words) {
        try {
            return Measured.parse(words);
        } catch (IllegalArgumentException cause) { // also of what is no number
            throw new BenchmarkFailedException("'" + line + "' is no measurement", cause);
        }
    }
}
