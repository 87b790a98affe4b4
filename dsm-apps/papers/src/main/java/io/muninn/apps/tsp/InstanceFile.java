package io.muninn.apps.tsp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * An instance as a text file. The first line contains the number of cities. A line for each city
 * follows, with its distances to cities 0, 1, 2 and so on, separated by blanks. Distances are
 * integers, the same in both directions, and 0 from a city to itself. Empty lines and comments
 * after {@code #} are ignored.
 *
 * <pre>
 * # three cities
 * 3
 * 0 7 4
 * 7 0 5
 * 4 5 0
 * </pre>
 */
final class InstanceFile {
    private final Path file;
    private final List<String> lines;
    private int next;

    private InstanceFile(Path file, List<String> lines) {
        this.file = file;
        this.lines = lines;
    }

    /**
     * @throws IllegalArgumentException if the file cannot be read or is not an instance; the
     *     message gives file, line and the expected content
     */
    static TspInstance read(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException cause) {
            throw new IllegalArgumentException("instance " + file + " does not exist", cause);
        } catch (IOException cause) {
            throw new IllegalArgumentException(
                    "instance " + file + " cannot be read as text: " + cause, cause);
        }
        return new InstanceFile(file, lines).instance();
    }

    private TspInstance instance() {
        String count = "the number of cities, 1 to " + TspInstance.CITIES_MAX;
        String[] head = words(count);
        if (head.length != 1) {
            throw unexpected(count, String.join(" ", head));
        }
        int cities = integer(head[0], count, 1, TspInstance.CITIES_MAX);
        int[] distances = new int[cities * cities];
        for (int row = 0; row < cities; row++) {
            readRow(row, cities, distances);
        }
        while (next < lines.size()) {
            String rest = content(lines.get(next++));
            if (!rest.isEmpty()) {
                throw unexpected("the end of the file after " + cities + " rows", rest);
            }
        }
        return new TspInstance(cities, distances);
    }

    private void readRow(int row, int cities, int[] distances) {
        String expected = "row " + row + ": " + cities + " distances";
        String[] words = words(expected);
        if (words.length != cities) {
            throw unexpected(expected, words.length + " words");
        }
        for (int column = 0; column < cities; column++) {
            String range = "row " + row + ": distances from 0 to " + TspInstance.DISTANCE_MAX;
            int distance = integer(words[column], range, 0, TspInstance.DISTANCE_MAX);
            if (column == row && distance != 0) {
                throw unexpected("distance 0 from city " + row + " to itself", words[column]);
            }
            if (column < row && distance != distances[column * cities + row]) {
                throw unexpected(
                        "distance "
                                + distances[column * cities + row]
                                + " from city "
                                + row
                                + " to city "
                                + column
                                + ", as in the other direction",
                        words[column]);
            }
            distances[row * cities + column] = distance;
        }
    }

    /** The words of the next non-empty line. */
    private String[] words(String expected) {
        while (next < lines.size()) {
            String content = content(lines.get(next++));
            if (!content.isEmpty()) {
                return content.split("\\s+", -1);
            }
        }
        throw unexpected(expected, "the end of the file");
    }

    private static String content(String line) {
        int comment = line.indexOf('#');
        return (comment < 0 ? line : line.substring(0, comment)).strip();
    }

    private int integer(String word, String expected, int min, int max) {
        try {
            int value = Integer.parseInt(word);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException cause) {
            throw unexpected(expected, word);
        }
        throw unexpected(expected, word);
    }

    private IllegalArgumentException unexpected(String expected, String found) {
        return new IllegalArgumentException(
                "instance "
                        + file
                        + ", line "
                        + next
                        + ": expected "
                        + expected
                        + ", not '"
                        + found
                        + "'");
    }
}
