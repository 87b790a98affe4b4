package io.muninn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/README.md} lists every page of the documents, with its title and first sentence, and
 * {@code docs/results/README.md} the results by paper; rewritten with {@code -Drewrite=true}. Every
 * link of a document leads to a file or a heading.
 */
class DocContentsTest {
    private static final Path DOCS = Sources.repository().resolve("docs");
    private static final Path DOCUMENT = DOCS.resolve("README.md");
    private static final Path RESULTS = DOCS.resolve("results");
    private static final String PAGE = "README.md";
    private static final int LINKS_MIN = 300;

    private static final String HEAD =
            """
            # Contents

            Written by `DocContentsTest` from the pages; do not edit. After a change of a title or of a first
            sentence:

                mvn -q -B -pl dsm-core/verify -am test -Dtest=DocContentsTest -Drewrite=true \\
                    -Dsurefire.failIfNoSpecifiedTests=false
            """;

    private static final String RESULTS_HEAD =
            """
            # Results

            For readers who look for what was measured: what operations cost here, and what the papers print
            beside what our runs show. Written by `DocContentsTest`, as the contents of all documents
            ([how](../README.md)); do not edit.
            """;

    private static final Pattern TITLE = Pattern.compile("\\A# (.+)\n\\s*(.+)");
    private static final Pattern SENTENCE =
            Pattern.compile("(?s)(.+?[.:])(?=\\s+[A-Z0-9`*\\[]|\\s*$)");
    private static final Pattern LINK = Pattern.compile("(!?\\[[^\\]]*])\\(([^)\\s]+)\\)");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```$|^ {4}.*?$");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    @Test
    void contents_listEveryPage() throws IOException {
        String expected =
                HEAD
                        + section("Pages", "")
                        + section("Decisions", "decisions")
                        + section("Laboratory: measurements behind decisions", "lab")
                        + section("Results", "results");

        assertWritten(DOCUMENT, expected);
    }

    @Test
    void results_listEveryPageByPaper() throws IOException {
        StringBuilder expected = new StringBuilder(RESULTS_HEAD);
        for (Path folder : resultFolders()) {
            Path own = folder.resolve(PAGE);
            String text = Files.readString(own);
            expected.append("\n## [").append(title(text).orElseThrow()).append("](");
            expected.append(RESULTS.relativize(own)).append(")\n\n");
            expected.append(firstSentence(text)).append('\n');
            expected.append(furtherPages(folder));
        }
        assertWritten(RESULTS.resolve(PAGE), expected.toString());
    }

    private static List<Path> resultFolders() throws IOException {
        try (Stream<Path> files = Files.list(RESULTS)) {
            return files.filter(folder -> Files.exists(folder.resolve(PAGE))).sorted().toList();
        }
    }

    /** The pages of a folder beside its own. */
    private static String furtherPages(Path folder) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path page : pages(folder, Integer.MAX_VALUE)) {
            Optional<String> title = title(Files.readString(page));
            if (title.isPresent() && !page.equals(folder.resolve(PAGE))) {
                text.append(text.isEmpty() ? "\n" : "");
                text.append("* [").append(title.get()).append("](");
                text.append(RESULTS.relativize(page)).append(")\n");
            }
        }
        return text.toString();
    }

    private static void assertWritten(Path document, String expected) throws IOException {
        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(document, expected);
        }
        String found = Files.exists(document) ? Files.readString(document) : "";
        assertEquals(expected, found, document + " is stale; run this test with -Drewrite=true");
    }

    /** The title of a page; empty for a part of a page. */
    private static Optional<String> title(String page) {
        Matcher opening = TITLE.matcher(page);
        return opening.find() ? Optional.of(opening.group(1)) : Optional.empty();
    }

    /** The pages of a folder; those of {@code docs} itself if it has no name. */
    private static String section(String title, String folder) throws IOException {
        StringBuilder text = new StringBuilder("\n## " + title + "\n\n");
        int depth = folder.isEmpty() ? 1 : Integer.MAX_VALUE;
        for (Path page : pages(DOCS.resolve(folder), depth)) {
            Optional<String> found = title(Files.readString(page));
            if (found.isPresent() && !page.equals(DOCUMENT)) {
                text.append("* [").append(found.get()).append("](");
                text.append(DOCS.relativize(page)).append("): ");
                text.append(firstSentence(Files.readString(page))).append('\n');
            }
        }
        return text.toString();
    }

    /** The first paragraph's first sentence, in one line and without links. */
    private static String firstSentence(String page) {
        String paragraph = page.split("\n\\s*\n")[1].strip();
        Matcher sentence = SENTENCE.matcher(paragraph);
        String text = sentence.lookingAt() ? sentence.group(1) : paragraph;
        String words = LINK.matcher(text).replaceAll(link -> label(link.group(1)));
        return words.replaceAll("\\s+", " ").replaceAll(":$", ".");
    }

    private static String label(String brackets) {
        return Matcher.quoteReplacement(brackets.substring(1, brackets.length() - 1));
    }

    @Test
    void links_leadToFilesAndHeadings() throws IOException {
        List<Path> documents = new ArrayList<>(pages(Sources.repository(), 1));
        documents.addAll(pages(DOCS, Integer.MAX_VALUE));
        Map<Path, Set<String>> anchors = new HashMap<>();
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path document : documents) {
            String prose = BLOCK.matcher(Files.readString(document)).replaceAll("");
            for (String target :
                    LINK.matcher(prose).results().map(link -> link.group(2)).toList()) {
                if (!target.startsWith("https:")) {
                    links++;
                    if (!leadsSomewhere(document, target, anchors)) {
                        broken.add(Sources.repository().relativize(document) + ": " + target);
                    }
                }
            }
        }

        assertEquals("", String.join("\n", broken));
        assertTrue(links > LINKS_MIN, links + " links");
    }

    private static boolean leadsSomewhere(
            Path document, String target, Map<Path, Set<String>> anchors) throws IOException {
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]).normalize();
        if (!Files.exists(file) || parts.length == 1) {
            return Files.exists(file);
        }
        if (!anchors.containsKey(file)) {
            anchors.put(file, anchors(Files.readString(file)));
        }
        return anchors.get(file).contains(parts[1]);
    }

    /** The anchors that GitHub gives to the headings of a document. */
    private static Set<String> anchors(String document) {
        Set<String> anchors = new HashSet<>();
        HEADING.matcher(BLOCK.matcher(document).replaceAll(""))
                .results()
                .map(heading -> LINK.matcher(heading.group(1)).replaceAll("$1"))
                .map(text -> text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", ""))
                .map(text -> text.replace(' ', '-'))
                .forEach(anchor -> {
                    String unique = anchor;
                    for (int i = 1; !anchors.add(unique); i++) {
                        unique = anchor + "-" + i;
                    }
                });
        return anchors;
    }

    private static List<Path> pages(Path folder, int depth) throws IOException {
        try (Stream<Path> files = Files.walk(folder, depth)) {
            return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
        }
    }

    // the reader itself

    @Test
    void firstSentence_isWithoutLinks() {
        assertEquals(
                "For a `B.c` of A.",
                firstSentence("# T\n\nFor a `B.c`\nof [A](a.md). And so\non.\n"));
        assertEquals("Measured.", firstSentence("# T\n\nMeasured:\n\n    code\n"));
    }

    @Test
    void anchors_areThoseOfGitHub() {
        assertEquals(
                Set.of("t", "lazy-lazy", "results-1", "results"),
                anchors("# T\n## Lazy (`LAZY`)\n## Results\n\n    # code\n\n### Results?\n"));
    }
}
