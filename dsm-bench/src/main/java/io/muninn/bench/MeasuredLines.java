package io.muninn.bench;

import io.muninn.bench.live.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What processes print that measure: name, median, 99th percentile and count, a line each. */
final class MeasuredLines {
    /** After the name: it cannot be measured here, for the reason that follows. */
    private static final String UNAVAILABLE = "unavailable";

    private static final int WORDS = 4;

    private MeasuredLines() {}

    /**
     * @param notes hears of what is not available
     */
    static List<Measured> read(List<String> lines, Consumer<String> notes) {
        List<Measured> all = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.split(" ", WORDS);
            if (words.length > 1 && words[1].equals(UNAVAILABLE)) {
                notes.accept(line);
                continue;
            }
            all.add(parse(line, words));
        }
        return all;
    }

    private static Measured parse(String line, String[] words) {
        try {
            return new Measured(
                    words[0],
                    Double.parseDouble(words[1]),
                    Double.parseDouble(words[2]),
                    Integer.parseInt(words[WORDS - 1]),
                    0,
                    0);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException cause) {
            throw new BenchmarkFailedException("'" + line + "' is no measurement", cause);
        }
    }
}
