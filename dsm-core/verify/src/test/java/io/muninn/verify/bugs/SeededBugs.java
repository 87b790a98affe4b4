package io.muninn.verify.bugs;

import io.muninn.verify.bugs.SeededBug.Look;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The bugs of {@code seeded-bugs.txt}, whose first lines describe its format. */
final class SeededBugs {
    private static final String FILE = "/seeded-bugs.txt";
    private static final String BEGIN = "== ";
    private static final Pattern OF_CORPUS = Pattern.compile(" \\(((?:close )?corpus) ([^)]+)\\)$");

    private SeededBugs() {}

    /** All of them, in the order of the file. */
    static List<SeededBug> read() {
        List<SeededBug> bugs = new ArrayList<>();
        List<String> lines = lines();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(BEGIN)) {
                int end = i;
                while (end < lines.size() && !lines.get(end).isEmpty()) {
                    end++;
                }
                bugs.add(bug(lines.subList(i, end)));
            }
        }
        return bugs;
    }

    private static SeededBug bug(List<String> lines) {
        String name = lines.getFirst().substring(BEGIN.length());
        List<String> change = lines.subList(3, lines.size());
        Matcher ofCorpus = OF_CORPUS.matcher(lines.get(1));
        String file = ofCorpus.replaceFirst(" ($1)");
        Look look = Look.USUAL;
        for (Look each : Look.values()) {
            look = file.endsWith(each.mark) ? each : look;
        }
        return new SeededBug(
                name,
                lines.get(2),
                file.substring(0, file.length() - look.mark.length()),
                look,
                ofCorpus.find(0) ? ofCorpus.group(2) : "",
                marked(change, "-"),
                marked(change, "+"));
    }

    /** The marked lines, each with its line end, so that a change can delete a whole line. */
    private static String marked(List<String> change, String mark) {
        return change.stream()
                .filter(line -> line.startsWith(mark))
                .map(line -> line.substring(mark.length()) + "\n")
                .collect(Collectors.joining());
    }

    private static List<String> lines() {
        try (InputStream in = SeededBugs.class.getResourceAsStream(FILE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }
}
