package io.muninn.verify.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The document's table of checkers equals the table in the code; rewritten with {@code
 * -Drewrite=true}.
 */
class CheckersDocTest {
    private static final Path DOCUMENT = Path.of("../../docs/SIMULATOR.md");
    private static final String BEGIN = "<!-- checkers: begin -->\n";
    private static final String END = "<!-- checkers: end -->\n";

    @Test
    void document_saysWhatEachCheckerHolds() throws IOException {
        StringBuilder table = new StringBuilder("| checker | what it holds |\n| --- | --- |\n");
        for (Checkers.Line line : Checkers.table()) {
            table.append("| ").append(line.name()).append(" | ").append(line.promise());
            table.append(" |\n");
        }
        String document = Files.readString(DOCUMENT);
        int begin = document.indexOf(BEGIN) + BEGIN.length();
        int end = document.indexOf(END);

        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(
                    DOCUMENT, document.substring(0, begin) + table + document.substring(end));
        } else {
            assertEquals(document.substring(begin, end), table.toString(), "stale: " + DOCUMENT);
        }
    }
}
