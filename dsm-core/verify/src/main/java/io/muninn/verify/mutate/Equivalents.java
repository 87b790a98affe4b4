package io.muninn.verify.mutate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Mutants that keep all promises of the unchanged kernel. {@code equivalent-mutants.txt} states the
 * reason for each.
 */
final class Equivalents {
    private static final String FILE = "equivalent-mutants.txt";
    private static final String COMMENT = "#";
    private static final Pattern COLUMNS = Pattern.compile(" {2,}");
    private static final int COLUMN_COUNT = 3;

    /**
     * A line of the file.
     *
     * @param place class and method, as in {@code sync.LockManager.handOn}
     * @param edit the kind and, after a colon, the beginning of the detail
     */
    record Line(String place, String edit, String reason) {
        boolean is(Mutant mutant) {
            String ofMutant = mutant.place();
            String detail = mutant.detail().isEmpty() ? "" : ": " + mutant.detail();
            return ofMutant.substring(0, ofMutant.lastIndexOf(':')).equals(place)
                    && (mutant.kind() + detail).startsWith(edit);
        }
    }

    private final List<Line> lines;

    private Equivalents(List<Line> lines) {
        this.lines = lines;
    }

    static Equivalents read() {
        try (InputStream in = Equivalents.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + FILE);
            }
            List<Line> lines = new ArrayList<>();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.lines().toList()) {
                if (!line.isBlank() && !line.startsWith(COMMENT)) {
                    String[] columns = COLUMNS.split(line, COLUMN_COUNT);
                    lines.add(new Line(columns[0], columns[1], columns[2]));
                }
            }
            return new Equivalents(List.copyOf(lines));
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    List<Line> lines() {
        return lines;
    }

    boolean has(Mutant mutant) {
        return lines.stream().anyMatch(line -> line.is(mutant));
    }
}
