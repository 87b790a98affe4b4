package io.muninn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import io.muninn.Sources.Source;
import io.muninn.coherence.ProtocolKind;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The style rules that a machine can hold, over the main sources of every module. */
class TidyTest {
    private static final int METHOD_LINES_MAX = 70;
    private static final int FILE_LINES_MAX = 600;
    private static final int LINE_COLUMNS_MAX = 100;
    private static final int SOURCES_MIN = 100;
    private static final int POMS_MIN = 10;

    private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])");
    private static final Pattern OWN_VERSION =
            Pattern.compile(
                    "<artifactId>(?:muninn-parent|muninn-bom|dsm-core)</artifactId>\\s*<version>([^<]+)<");
    private static final Pattern OPEN_END = Pattern.compile("FIXME|TODO(?!\\(#\\d+\\))");
    private static final Pattern UNORDERED = Pattern.compile("\\b(Map|Set)\\.(of|copyOf)\\(");

    /**
     * Calls that write numbers or letters according to the user's locale, such as the digit U+0669.
     */
    private static final Pattern BY_LOCALE =
            Pattern.compile(
                    "\\.formatted\\(|\\b(String\\.format|printf)\\((?!\\s*Locale\\.ROOT\\b)"
                            + "|\\b(out|err)\\.format\\(|\\.to(Lower|Upper)Case\\(\\)"
                            + "|\\bString::(format|formatted|toLowerCase|toUpperCase)\\b"
                            + "|\\b(Decimal|Message|Number|SimpleDate)Format\\b"
                            + "|\\bnew (Formatter|Scanner)\\("
                            + "|\\bDateTimeFormatter\\.of(Pattern|Localized)");

    /** Words that have another meaning here, and the word to use. */
    private static final Map<String, String> CONFUSED = confused();

    private static final List<Source> SOURCES = Sources.main();

    private static Map<String, String> confused() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("segment", "region");
        words.put("delta", "diff");
        words.put("patch", "diff");
        words.put("shadow", "twin");
        words.put("epoch", "interval");
        words.put("sharer", "copyset");
        words.put("sharers", "copyset");
        words.put("protection", "access");
        words.put("daemon", "agent");
        return words;
    }

    /** Such terms of two words, or words that are permitted as verbs: checked in comments only. */
    private static final Map<Pattern, String> CONFUSED_PHRASES =
            Map.of(
                    Pattern.compile("\\b(a|an|the|each|every|per|of|one) blocks?\\b"), "page",
                    Pattern.compile("\\bvector clocks?\\b"), "vector timestamp",
                    Pattern.compile("\\blast owner\\b"), "probable owner");

    @Test
    void sourcesOfEveryModule_areRead() {
        assertTrue(SOURCES.size() > SOURCES_MIN, SOURCES.size() + " sources");
        for (String module : List.of("dsm-api", "dsm-native", "dsm-core", "dsm-apps", "dsm-user")) {
            assertTrue(
                    SOURCES.stream().anyMatch(source -> source.at(0).startsWith(module + "/")),
                    module);
        }
    }

    @Test
    void lines_fitIntoAHundredColumns() {
        assertNone(SOURCES, Source::lines, line -> line.length() > LINE_COLUMNS_MAX);
    }

    @Test
    void files_areOneIdeaLong() {
        assertEquals(
                List.of(),
                SOURCES.stream()
                        .filter(source -> linesBesideImports(source) > FILE_LINES_MAX)
                        .map(source -> source.at(source.lines().size() - 1))
                        .toList());
    }

    private static long linesBesideImports(Source source) {
        return source.lines().stream().filter(line -> !line.startsWith("import ")).count();
    }

    @Test
    void methods_areShort() {
        List<String> longMethods = new ArrayList<>();
        Sources.parse(
                SOURCES.stream().map(Source::path).toList(),
                (unit, positions) ->
                        unit.accept(new LongMethods(unit, positions, longMethods), unit));

        assertEquals(List.of(), longMethods);
    }

    /** Collects the methods that are longer than a screen. */
    private static final class LongMethods extends TreeScanner<Void, CompilationUnitTree> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<String> found;

        LongMethods(CompilationUnitTree unit, SourcePositions positions, List<String> found) {
            this.unit = unit;
            this.positions = positions;
            this.found = found;
        }

        @Override
        public Void visitMethod(MethodTree method, CompilationUnitTree context) {
            long first = positions.getStartPosition(unit, method);
            long last = positions.getEndPosition(unit, method);
            long lines =
                    unit.getLineMap().getLineNumber(last)
                            - unit.getLineMap().getLineNumber(first)
                            + 1;
            if (lines > METHOD_LINES_MAX) {
                found.add(unit.getSourceFile().getName() + " " + method.getName() + " " + lines);
            }
            return super.visitMethod(method, context);
        }
    }

    @Test
    void everyPackage_isNullMarkedAndDescribed() {
        TreeSet<Path> folders = new TreeSet<>();
        SOURCES.forEach(source -> folders.add(source.path().getParent()));
        folders.removeIf(folder -> folder.endsWith("java")); // of module-info
        List<String> bare = new ArrayList<>();
        for (Path folder : folders) {
            List<Source> descriptions =
                    SOURCES.stream()
                            .filter(source -> source.path().equals(packageInfo(folder)))
                            .toList();
            if (descriptions.isEmpty()
                    || !descriptions.getFirst().code().contains("@NullMarked")
                    || !descriptions.getFirst().lines().getFirst().equals("/**")) {
                bare.add(folder.toString());
            }
        }

        assertEquals(List.of(), bare);
    }

    @Test
    void openEnds_nameTheirIssue() {
        assertNone(SOURCES, Source::lines, line -> OPEN_END.matcher(line).find());
    }

    @Test
    void pureFloors_useNoCollectionOfUnstableOrder() {
        List<Source> pure =
                SOURCES.stream()
                        .filter(source -> !source.path().endsWith("module-info.java"))
                        .filter(source -> Floors.isPure(Floors.name(source.packageName())))
                        .toList();

        assertTrue(pure.size() > 40, pure.size() + " pure sources");
        assertNone(pure, Source::code, line -> UNORDERED.matcher(line).find());
    }

    /** Messages, reports and files are the same for every user. */
    @Test
    void texts_doNotFollowTheLocale() {
        List<String> found = new ArrayList<>();
        for (Source source : SOURCES) {
            String code = String.join("\n", source.code());
            BY_LOCALE
                    .matcher(code)
                    .results()
                    .forEach(use -> {
                        long line = code.substring(0, use.start()).lines().count();
                        found.add(source.at((int) line - 1) + " say Locale.ROOT: " + use.group());
                    });
        }

        assertEquals("", String.join("\n", found));
    }

    @Test
    void usesOfTheLocale_areFound() {
        for (String code :
                List.of(
                        "text.formatted(5)",
                        "String.format(text, 5)",
                        "out.printf(text)",
                        "out.format(text)",
                        "name.toLowerCase()",
                        "map(String::toUpperCase)",
                        "new DecimalFormat(text)",
                        "new Scanner(in)")) {
            assertTrue(BY_LOCALE.matcher(code).find(), code);
        }
        for (String code :
                List.of(
                        "String.format(\n  Locale.ROOT, text, 5)",
                        "out.printf(Locale.ROOT, text)",
                        "ReportTable.format(report)",
                        "name.toLowerCase(Locale.ROOT)",
                        "catch (NumberFormatException cause)")) {
            assertFalse(BY_LOCALE.matcher(code).find(), code);
        }
    }

    @Test
    void comments_useTheWordsOfTheGlossary() {
        List<String> found = new ArrayList<>();
        for (Source source : SOURCES) {
            for (int i = 0; i < source.comments().size(); i++) {
                String line = source.comments().get(i);
                collectConfused(source, i, line, found);
                for (Map.Entry<Pattern, String> phrase : CONFUSED_PHRASES.entrySet()) {
                    if (phrase.getKey().matcher(line).find()) {
                        found.add(source.at(i) + " say " + phrase.getValue() + ":" + line);
                    }
                }
            }
        }

        assertEquals("", String.join("\n", found));
    }

    @Test
    void identifiers_useTheWordsOfTheGlossary() {
        List<String> found = new ArrayList<>();
        for (Source source : SOURCES) {
            for (int i = 0; i < source.code().size(); i++) {
                collectConfused(source, i, source.code().get(i), found);
            }
        }

        assertEquals("", String.join("\n", found));
    }

    private static void collectConfused(Source source, int index, String line, List<String> found) {
        WORD.matcher(line)
                .results()
                .map(word -> word.group().toLowerCase(Locale.ROOT))
                .filter(CONFUSED::containsKey)
                .filter(word -> !isAnothersWord(source, word, line))
                .forEach(word ->
                        found.add(source.at(index) + " say " + CONFUSED.get(word) + ":" + line));
    }

    /** Java's own terms are permitted: segments of memory, protection domains, daemon threads. */
    private static boolean isAnothersWord(Source source, String word, String line) {
        return switch (word) {
            case "segment" -> usesMemorySegments(source);
            case "protection" -> line.contains("getProtectionDomain()");
            case "daemon" ->
                    line.contains("setDaemon(")
                            || line.contains(".daemon(")
                            || line.contains(".isDaemon()");
            default -> false;
        };
    }

    /** Java's segments, or the views' {@code segment(from, to, mode)}, which returns one. */
    private static boolean usesMemorySegments(Source source) {
        return source.lines().stream()
                .anyMatch(line -> line.contains("java.lang.foreign") || line.contains("segment("));
    }

    @Test
    void everyProtocol_hasASectionInTheDocs() throws IOException {
        List<String> docs = Files.readAllLines(Sources.repository().resolve("docs/PROTOCOLS.md"));
        for (ProtocolKind kind : ProtocolKind.values()) {
            assertTrue(
                    docs.stream()
                            .anyMatch(line ->
                                    line.startsWith("## ")
                                            && line.contains("`" + kind.name() + "`")),
                    () -> kind + " has no section");
        }
    }

    /** Maven takes the version from each POM; nodes and readers take it from elsewhere. */
    @Test
    void version_isTheSameEverywhere() throws IOException {
        Path root = Sources.repository();
        Map<Path, String> versions = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root, 3)) {
            for (Path pom : files.filter(file -> file.endsWith("pom.xml")).toList()) {
                versions.put(pom, first(pom, OWN_VERSION));
            }
        }
        assertTrue(versions.size() > POMS_MIN, versions::toString);
        Path config =
                root.resolve("dsm-core/runtime/src/main/java/io/muninn/agent/AgentConfig.java");
        versions.put(config, first(config, Pattern.compile("\"muninn ([0-9.]+)\"")));
        Path changes = root.resolve("CHANGELOG.md");
        versions.put(changes, first(changes, Pattern.compile("(?m)^## ([0-9.]+)")));

        assertEquals(1, new TreeSet<>(versions.values()).size(), versions::toString);
    }

    private static String first(Path file, Pattern pattern) throws IOException {
        Matcher found = pattern.matcher(Files.readString(file));
        return found.find() ? found.group(1) : "none";
    }

    /** An end-to-end test without the tag would not run at all. */
    @Test
    void everyEndToEndTest_isTagged() throws IOException {
        Path folder = Sources.repository().resolve("dsm-apps/src/test/java/io/muninn/e2e");
        List<Path> untagged = new ArrayList<>();
        int tagged = 0;
        try (DirectoryStream<Path> tests = Files.newDirectoryStream(folder, "*Test.java")) {
            for (Path test : tests) {
                if (Files.readAllLines(test).contains("@Tag(\"e2e\")")) {
                    tagged++;
                } else {
                    untagged.add(test);
                }
            }
        }

        assertEquals(List.of(), untagged);
        assertTrue(tagged > 10, tagged + " tests");
    }

    // the scanner itself

    @Test
    void scanner_tellsCodeFromCommentsAndLiterals() {
        String text =
                "int a; // one \"x\"\nString b = \"// no \\\" comment\"; /* two\n three */ c('\"');"
                        + "\nString d = \"\"\"\n // no\n\"\"\"; e();\n";

        Source source = Sources.scan(Path.of("A.java"), text);

        assertEquals("int a;", source.code().get(0).strip());
        assertEquals("// one \"x\"", source.comments().get(0).strip());
        assertEquals("String b =", source.code().get(1).strip().substring(0, 10));
        assertEquals("/* two", source.comments().get(1).strip());
        assertTrue(source.code().get(2).strip().startsWith("c("), source.code().get(2));
        assertEquals("", source.comments().get(4).strip());
        assertTrue(source.code().get(5).endsWith("; e();"), source.code().get(5));
        assertFalse(source.code().get(4).contains("no"));
    }

    private static void assertNone(
            List<Source> sources,
            Function<Source, List<String>> lines,
            Predicate<String> forbidden) {
        List<String> found = new ArrayList<>();
        for (Source source : sources) {
            List<String> all = lines.apply(source);
            for (int i = 0; i < all.size(); i++) {
                if (forbidden.test(all.get(i))) {
                    found.add(source.at(i) + ":" + all.get(i));
                }
            }
        }
        assertEquals("", String.join("\n", found));
    }

    private static Path packageInfo(Path folder) {
        return folder.resolve("package-info.java");
    }
}
