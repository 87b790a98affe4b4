package io.muninn.bench;

import io.muninn.bench.series.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reads the output of measuring processes: one operation or floor per line. */
final class MeasuredLines {
    /** Second word of a line whose measurement is not possible here; the reason follows. */
    private static final String UNAVAILABLE = "unavailable";

    private MeasuredLines() {}

    /**
     * @param notes receives the lines of unavailable measurements
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
        } catch (IllegalArgumentException cause) { // includes NumberFormatException
            throw new BenchmarkFailedException("'" + line + "' is no measurement", cause);
        }
    }
}
