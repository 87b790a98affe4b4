package io.muninn.verify.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The document's state × event tables are those that the checker executes, with the footnotes of
 * the Javadoc; rewritten with {@code -Drewrite=true}. The tables that the checker does not execute
 * are read from the Javadoc.
 */
class StateTablesDocTest {
    private static final Path DOCUMENT = Path.of("../../docs/STATE-TABLES.md");
    private static final Pattern TABLE =
            Pattern.compile(
                    "<!-- table of (\\w+): begin -->\n(.*?)<!-- table of \\1: end -->\n",
                    Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\{@link\\s+(\\w+)}");
    private static final Pattern NOTE = Pattern.compile("\\((\\d+)\\) (.*)", Pattern.DOTALL);
    private static final int COLUMNS_MAX = 100;

    @Test
    void document_hasTheTablesOfTheChecker() throws IOException {
        String document = Files.readString(DOCUMENT);

        String expected =
                TABLE.matcher(document)
                        .replaceAll(table -> Matcher.quoteReplacement(generated(table.group(1))));

        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(DOCUMENT, expected);
        } else {
            assertEquals(
                    expected,
                    document,
                    "stale: " + DOCUMENT + "; run this test with -Drewrite=true");
        }
    }

    @Test
    void document_hasEveryTableOfTheCheckerOnce() throws IOException {
        List<String> found =
                TABLE.matcher(Files.readString(DOCUMENT))
                        .results()
                        .map(table -> table.group(1))
                        .toList();

        TreeSet<String> missing = new TreeSet<>();
        StateTables.ALL.forEach(table -> missing.add(table.name()));
        found.forEach(missing::remove);
        assertEquals(new TreeSet<>(), missing);
        assertEquals(List.copyOf(new TreeSet<>(found)), found.stream().sorted().toList());
    }

    @Test
    void footnotesOfTheDocument_areThoseThatTheTablesName() throws IOException {
        for (StateTable table : StateTables.ALL) {
            TableJavadoc javadoc = TableJavadoc.of(table.name());

            assertEquals(
                    numbers(javadoc.table(), "\\((\\d+)\\)"),
                    numbers(javadoc.notes(), "(?m)^\\((\\d+)\\) "),
                    table.name());
        }
    }

    private static TreeSet<Integer> numbers(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(note -> Integer.valueOf(note.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The document's part between the markers, and they themselves. */
    private static String generated(String name) {
        TableJavadoc javadoc = javadoc(name);
        StateTable table =
                StateTables.ALL.stream()
                        .filter(executed -> executed.name().equals(name))
                        .findFirst()
                        .orElseGet(() -> StateTable.parse(name, javadoc.table()));
        StringBuilder text = new StringBuilder("<!-- table of " + name + ": begin -->\n");
        table.parts().forEach(part -> appendTable(part, text));
        appendNotes(javadoc.notes(), text);
        text.setLength(text.length() - 1); // the last empty line
        return text.append("<!-- table of " + name + ": end -->\n").toString();
    }

    private static TableJavadoc javadoc(String name) {
        try {
            return TableJavadoc.of(name);
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    /** A row is omitted if all of its events are impossible. */
    private static void appendTable(StateTable table, StringBuilder text) {
        int columns = table.columnHeadings().size();
        text.append("|  | ").append(String.join(" | ", table.columnHeadings())).append(" |\n");
        text.append("| --- ".repeat(columns + 1)).append("|\n");
        for (int row = 0; row < table.rowHeadings().size(); row++) {
            int first = row * columns;
            List<String> cells =
                    IntStream.range(first, first + columns).mapToObj(table::says).toList();
            if (!cells.stream().allMatch("impossible"::equals)) {
                text.append("| ").append(table.rowHeadings().get(row)).append(" | ");
                text.append(String.join(" | ", cells)).append(" |\n");
            }
        }
        text.append('\n');
    }

    /** Footnotes become a numbered list; a paragraph behind them stays one. */
    private static void appendNotes(String notes, StringBuilder text) {
        if (notes.isBlank()) {
            return;
        }
        for (String paragraph : notes.strip().split("\n(?=\\(\\d+\\) )|\n\n")) {
            String words = LINK.matcher(paragraph).replaceAll("`$1`");
            Matcher note = NOTE.matcher(words);
            boolean isNote = note.matches();
            String bullet = isNote ? note.group(1) + ". " : "";
            text.append(isNote ? "" : "\n");
            appendWrapped(bullet, isNote ? note.group(2) : words, text);
        }
        text.append('\n');
    }

    private static void appendWrapped(String bullet, String words, StringBuilder text) {
        StringBuilder line = new StringBuilder(bullet);
        boolean isFirst = true;
        for (String word : words.strip().split("\\s+")) {
            if (!isFirst && line.length() + 1 + word.length() > COLUMNS_MAX) {
                text.append(line).append('\n');
                line.setLength(0);
                line.append(" ".repeat(bullet.length()));
                isFirst = true;
            }
            line.append(isFirst ? "" : " ").append(word);
            isFirst = false;
        }
        text.append(line).append('\n');
    }
}
