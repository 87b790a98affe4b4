package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.coherence.ProtocolKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The golden transcripts: actions of the kernels in the most instructive situations of each
 * protocol. With {@code -Drewrite=true} they are rewritten instead; the change is then reviewed.
 */
class TranscriptTest {
    private static final Path FOLDER = Path.of("src", "test", "resources", "transcripts");
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "PROTOCOLS.md");
    private static final Path GRAMMAR = Path.of("..", "..", "docs", "HACKING.md");
    private static final String TARGET = "../dsm-core/verify/src/test/resources/transcripts/";
    private static final Pattern LINK = Pattern.compile("\\(" + Pattern.quote(TARGET) + "(.*?)\\)");
    private static final List<String> SYNCHRONIZATION =
            List.of("locks", "reader-writer", "barriers", "conditions", "letters", "remote");
    private static final String CODE = "    ";
    private static final int TRANSCRIPTS_MIN = 3;

    @ParameterizedTest
    @MethodSource("names")
    void transcript_isWhatTheKernelsDo(String name) throws IOException {
        Path file = FOLDER.resolve(name);
        String rewritten = TranscriptScript.rewrite(Files.readString(file));
        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(file, rewritten);
        }

        String difference = TranscriptDifference.between(Files.readString(file), rewritten);

        assertTrue(
                difference.isEmpty(),
                () ->
                        name
                                + " (-) is not what the kernels do (+); if they are right, run this"
                                + " test with -Drewrite=true:\n"
                                + difference);
    }

    @ParameterizedTest
    @MethodSource("names")
    void transcript_beginsWithWhatItShows(String name) throws IOException {
        List<String> lines = Files.readAllLines(FOLDER.resolve(name));

        assertTrue(lines.getFirst().matches("# .+"), lines.getFirst());
        assertEquals("#", lines.get(headingLines(lines)), "no sentence on why");
    }

    private static int headingLines(List<String> lines) {
        return (int) lines.stream().takeWhile(line -> line.startsWith("# ")).count();
    }

    @Test
    void everyTranscript_isLinkedFromTheSectionOfItsProtocol() throws IOException {
        Map<String, List<String>> expected = new TreeMap<>();
        sections().forEach(section -> expected.put(section, new ArrayList<>()));
        for (String name : names()) {
            expected.entrySet().stream()
                    .filter(section -> name.startsWith(section.getKey() + "-"))
                    .max(Comparator.comparing(section -> section.getKey().length()))
                    .orElseThrow(() -> new AssertionError(name + " begins with no protocol"))
                    .getValue()
                    .add(name);
        }

        assertEquals(expected, links());
        expected.forEach((section, names) ->
                assertTrue(names.size() >= TRANSCRIPTS_MIN, () -> section + " has only " + names));
    }

    @Test
    void passageInTheDocument_isOfATranscript() throws IOException {
        String passage =
                Files.readString(GRAMMAR)
                        .split("\n## Transcripts\n")[1]
                        .lines()
                        .dropWhile(line -> !line.startsWith(CODE))
                        .takeWhile(line -> line.startsWith(CODE))
                        .map(line -> line.substring(CODE.length()))
                        .collect(Collectors.joining("\n"));

        assertTrue(
                Files.readString(FOLDER.resolve("conventional-first-touch.txt")).contains(passage),
                passage);
    }

    private static List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** The first words of the document's headings that have transcripts. */
    private static List<String> sections() {
        List<String> sections = new ArrayList<>(SYNCHRONIZATION);
        for (ProtocolKind kind : ProtocolKind.values()) {
            sections.add(kind.word());
        }
        return sections;
    }

    /** Names of the transcripts that the document links, sorted, by section. */
    private static Map<String, List<String>> links() throws IOException {
        Map<String, List<String>> links = new TreeMap<>();
        sections().forEach(section -> links.put(section, new ArrayList<>()));
        for (String text : Files.readString(DOCUMENT).split("\n## ")) {
            String section = text.split("\\s", 2)[0].toLowerCase(Locale.ROOT);
            List<String> linked =
                    LINK.matcher(text).results().map(link -> link.group(1)).sorted().toList();
            if (!linked.isEmpty()) {
                links.put(section, linked);
            }
        }
        return links;
    }
}
