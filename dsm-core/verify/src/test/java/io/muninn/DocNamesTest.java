package io.muninn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The packages, classes and members that documents name in code spans exist. Code blocks are not
 * read, nor are the diaries of the laboratory, which keep the names of their time.
 */
class DocNamesTest {
    private static final int NAMES_MIN = 500;

    private static final List<String> FOLDERS = List.of("", "docs", "docs/decisions");

    private static final Pattern BLOCK =
            Pattern.compile("(?ms)^```.*?^```$|^ {4}.*?$"); // fenced, or a line of an indented one

    private static final Pattern PARAGRAPH_END = Pattern.compile("\\n\\s*\\n");

    private static final Pattern SPAN = Pattern.compile("`([^`]+)`");

    private static final Pattern NAME =
            Pattern.compile("(?:@|new )?(\\w+(?:[.#]\\w+)*?)(?:\\.java)?(\\(.*\\))?");

    private static final Pattern TYPE = Pattern.compile("[A-Z]\\w*[a-z]\\w*");

    private static final Pattern MEMBER = Pattern.compile("[a-z]+[A-Z]\\w*");

    /** Names that no source declares or imports, each with the reason why a document has it. */
    private static final Map<String, String> EXCEPTIONS =
            Map.of(
                    "AOTCache", "a file of HotSpot's sources",
                    "madvise", "Linux",
                    "Unsafe", "the JDK",
                    "VmSize", "Linux");

    private static final Declarations DECLARED = declared();

    private static Declarations declared() {
        List<Path> sources = new ArrayList<>(Sources.files("src/main/java"));
        sources.addAll(Sources.files("src/test/java"));
        return Declarations.of(sources);
    }

    @Test
    void namesInTheDocuments_exist() throws IOException {
        List<String> unknown = new ArrayList<>();
        TreeSet<String> excepted = new TreeSet<>();
        int names = 0;
        for (Path document : documents()) {
            for (String span : spans(Files.readString(document))) {
                String missing = missing(span);
                names += NAME.matcher(span).matches() ? 1 : 0;
                if (EXCEPTIONS.containsKey(missing)) {
                    excepted.add(missing);
                } else if (!missing.isEmpty()) {
                    String file = Sources.repository().relativize(document).toString();
                    unknown.add(file + ": `" + span + "`: there is no " + missing);
                }
            }
        }

        assertEquals("", String.join("\n", unknown));
        assertEquals(new TreeSet<>(EXCEPTIONS.keySet()), excepted, "exceptions in use");
        assertTrue(names > NAMES_MIN, names + " names");
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (String folder : FOLDERS) {
            Path path = Sources.repository().resolve(folder);
            try (DirectoryStream<Path> files = Files.newDirectoryStream(path, "*.md")) {
                files.forEach(documents::add);
            }
        }
        documents.sort(null);
        return documents;
    }

    /** The code spans of a document; one may continue on the next line. */
    private static List<String> spans(String document) {
        String prose = BLOCK.matcher(document).replaceAll("");
        return PARAGRAPH_END
                .splitAsStream(prose)
                .flatMap(paragraph -> SPAN.matcher(paragraph).results())
                .map(span -> span.group(1).replaceAll("\\s+", " "))
                .toList();
    }

    /**
     * The first part of a name that does not exist; empty if all of them do, or if the span does
     * not look like a name of Java.
     */
    private static String missing(String span) {
        Matcher matcher = NAME.matcher(span);
        if (!matcher.matches()) {
            return "";
        }
        String name = matcher.group(1);
        String[] parts = name.split("[.#]");
        String last = parts[parts.length - 1];
        boolean isCall = matcher.group(2) != null;
        if (name.startsWith("io.muninn")) {
            return missingInPackage(parts);
        } else if (TYPE.matcher(parts[0]).matches()) {
            return missingInType(parts, 0);
        } else if (isCall && last.matches("[a-z][A-Za-z]*")) { // others are functions of C
            return DECLARED.hasMember(last) ? "" : last;
        } else if (parts.length == 1 && MEMBER.matcher(last).matches()) {
            return DECLARED.hasMember(last) || DECLARED.hasMember(constant(last)) ? "" : last;
        }
        return "";
    }

    private static String missingInPackage(String[] parts) {
        int length = 0;
        while (length < parts.length && !TYPE.matcher(parts[length]).matches()) {
            length++;
        }
        String name = String.join(".", List.of(parts).subList(0, length));
        return DECLARED.hasPackage(name) ? missingInType(parts, length) : name;
    }

    /** Checks the type at an index, and the members after it unless the type is a library's. */
    private static String missingInType(String[] parts, int index) {
        if (index == parts.length) {
            return "";
        }
        if (!DECLARED.hasType(parts[index])) {
            return DECLARED.usesType(parts[index]) ? "" : parts[index];
        }
        for (int i = index + 1; i < parts.length; i++) {
            if (!DECLARED.hasMember(parts[i - 1], parts[i])) {
                return parts[i - 1] + "." + parts[i];
            }
        }
        return "";
    }

    /** The constant of a counter, from its name in reports. */
    private static String constant(String name) {
        return name.replaceAll("(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
    }

    // the reader itself

    @Test
    void names_areThoseOfTheSources() {
        for (String known :
                List.of(
                        "NodeKernel",
                        "NodeKernel.step",
                        "NodeKernel.step(event, effects)",
                        "Event.PeerLost",
                        "ProtocolViolation.check(isRight, text)",
                        "node.messages()",
                        "trapTwins",
                        "DocNamesTest.java",
                        "io.muninn.kernel.port",
                        "io.muninn.kernel.NodeKernel",
                        "Thread.onSpinWait",
                        "MemorySegment",
                        "dsm_diff()",
                        "./dsm sim --seed 7")) {
            assertEquals("", missing(known), known);
        }
        assertEquals("NodeColonel", missing("NodeColonel.step"));
        assertEquals("NodeKernel.strode", missing("NodeKernel.strode(event)"));
        assertEquals("strode", missing("kernel.strode(event)"));
        assertEquals("onStrode", missing("onStrode"));
        assertEquals("io.muninn.node", missing("io.muninn.node.NodeKernel"));
        assertEquals("NodeColonel", missing("io.muninn.kernel.NodeColonel"));
    }

    @Test
    void spans_areReadOutsideOfBlocks() {
        String document = "`A` and `b\nc`\n\n    `D`\n\n```\n`E`\n```\n`F` or ` alone\n\n`G`\n";

        assertEquals(List.of("A", "b c", "F", "G"), spans(document));
    }
}
