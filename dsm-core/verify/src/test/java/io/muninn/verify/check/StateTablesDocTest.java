package io.muninn.verify.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.lasting.LastingLink;
import io.muninn.sync.BarrierManager;
import io.muninn.sync.CollectionManager;
import io.muninn.sync.CollectionPart;
import io.muninn.sync.Refreshes;
import io.muninn.sync.ShippedCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The document's state × event tables and their notes equal those of the Javadoc; rewritten with
 * {@code -Drewrite=true}. For a table of differences, the document contains the differences.
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

    private static final List<StateTable> TABLES =
            Stream.concat(
                            StateTables.ALL.stream(),
                            Stream.of(
                                            BarrierManager.class,
                                            ShippedCalls.class,
                                            Refreshes.class,
                                            CollectionPart.class,
                                            CollectionManager.class,
                                            LastingLink.class)
                                    .map(StateTables::read))
                    .toList();

    @Test
    void document_hasTheTablesOfTheJavadoc() throws IOException {
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
    void document_hasEveryTableOnce() throws IOException {
        List<String> found =
                TABLE.matcher(Files.readString(DOCUMENT))
                        .results()
                        .map(table -> table.group(1))
                        .toList();

        TreeSet<String> missing = new TreeSet<>();
        TABLES.forEach(table -> missing.add(table.name()));
        found.forEach(missing::remove);
        assertEquals(new TreeSet<>(), missing);
        assertEquals(List.copyOf(new TreeSet<>(found)), found.stream().sorted().toList());
    }

    @Test
    void notesOfATable_areThoseThatItNames() {
        for (StateTable table : TABLES) {
            String otherText = table.other().map(StateTable::text).orElse("");
            String otherNotes = table.other().map(StateTable::notes).orElse("");

            assertEquals(
                    numbers(table.text() + otherText, "\\((\\d+)\\)"),
                    numbers(table.notes() + otherNotes, "(?m)^\\((\\d+)\\) "),
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

    /** The document's part between the markers, including the markers. */
    private static String generated(String name) {
        StateTable table =
                TABLES.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
        StringBuilder text = new StringBuilder("<!-- table of " + name + ": begin -->\n");
        table.parts().forEach(part -> appendTable(part, text));
        appendNotes(table, text);
        text.setLength(text.length() - 1); // the last empty line
        return text.append("<!-- table of " + name + ": end -->\n").toString();
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

    /**
     * Converts notes to a numbered list, and keeps a paragraph after them. The numbers of a table
     * of differences have gaps, which a numbered list cannot have.
     */
    private static void appendNotes(StateTable table, StringBuilder text) {
        if (table.notes().isBlank()) {
            return;
        }
        boolean hasGaps = table.other().isPresent();
        for (String paragraph : table.notes().strip().split("\n(?=\\(\\d+\\) )|\n\n")) {
            String words = LINK.matcher(paragraph).replaceAll("`$1`");
            Matcher note = NOTE.matcher(words);
            boolean isNote = note.matches();
            if (!isNote) {
                text.append('\n');
                appendWrapped("", words, text);
            } else if (hasGaps) {
                appendWrapped("* ", words, text);
            } else {
                appendWrapped(note.group(1) + ". ", note.group(2), text);
            }
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
