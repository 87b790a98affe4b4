package io.muninn.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Verdict;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.sim.app.AppRun;
import io.muninn.verify.mutate.MutantClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Verification finds a stencil that is wrong in all versions of a program, the sequential one, too:
 * one coefficient or one neighbour of the kernel that they share is another one, and the program is
 * compiled anew.
 */
@Timeout(120)
class StencilMutationsTest {
    private static final Path SOURCES = Path.of("papers/src/main/java/io/muninn/apps");

    /**
     * A wrong stencil.
     *
     * @param words the program and its options
     * @param source of the class that is wrong
     * @param right text of the source, once in it
     * @param wrong what replaces it
     */
    private record Mutation(String words, String source, String right, String wrong) {
        @Override
        public String toString() {
            return source + ": " + right + " -> " + wrong;
        }
    }

    @TempDir private Path folder;

    static Stream<Mutation> mutations() {
        List<Mutation> all = new ArrayList<>();
        add(
                all,
                "adi --size 40 --steps 3",
                "adi/AdiGrid",
                "{0.020, => {0.021,",
                "-0.013} => -0.012}",
                "{-0.009, => {0.009,",
                "ACROSS = 0.25 => ACROSS = 0.24",
                "u2.get(row + 1, column) - => u2.get(row, column) -",
                "u.get(row, column + 1) - 2 * here => u.get(row, column + 1) - 2.01 * here");
        add(
                all,
                "expl --size 12 --steps 2",
                "expl/ExplGrid",
                "FORCE = 0.0041 => FORCE = 0.0042",
                "TIME = 0.0037 => TIME = 0.0038",
                "(r.get(row, column) + r.get(row, column - 1)) => 2.01 * r.get(row, column)",
                "- b.get(row, column) * (here => - a.get(row, column) * (here",
                "- a.get(row, column - 1) * => + a.get(row, column - 1) *",
                "mass.get(row + 1, column - 1) => mass.get(row + 1, column)");
        add(
                all,
                "irreg --size 3000 --steps 2",
                "irreg/IrregMesh",
                "RELAXATION = 0.75 => RELAXATION = 0.76",
                "i = start; => i = start + 1;",
                "sum / (end - start) => sum / (end - start + 1)",
                "all[next[to]++] = from => all[next[to]++] = to");
        add(
                all,
                "jacobi --size 12 --steps 3",
                "jacobi/JacobiGrid",
                "0.25 * sum => 0.26 * sum",
                "now.get(row - 1, column) => now.get(row, column)",
                "+ now.get(row, column + 1) => + 1.01 * now.get(row, column + 1)");
        add(
                all,
                "rb --size 12 --steps 3",
                "rb/RbGrid",
                "RELAXATION = 1.5 => RELAXATION = 1.51",
                "0.25 * sum => 0.251 * sum",
                "values.get(row + 1, column) => values.get(row - 1, column)",
                "+ values.get(row, column - 1) => + 0.99 * values.get(row, column - 1)");
        addOfSpec(all);
        return all.stream();
    }

    /** Those of the programs that are from SPEC's suite. */
    private static void addOfSpec(List<Mutation> all) {
        add(
                all,
                "swm --size 12 --steps 3",
                "swm/SwmGrid",
                "0.5 * (pressure + p.get(row, left)) => 0.51 * (pressure + p.get(row, left))",
                "0.5 * (pressure + p.get(above, column)) => 0.5 * (pressure + p.get(above, left))",
                "4 / SPACING * (speedV => 4.01 / SPACING * (speedV",
                "- 4 / SPACING => + 4 / SPACING",
                "0.25 * squares => 0.26 * squares",
                "+ seconds / 8 => + seconds / 8.1",
                "- seconds / 8 => - seconds / 7.9",
                "+ massU.get(above, right); => + massU.get(row, right);",
                "- per * (massV.get(below, column) => - 1.01 * per * (massV.get(below, column)",
                "FILTER = 0.001 => FILTER = 0.002",
                "ahead - 2 * here => ahead - 2.01 * here");
        add(
                all,
                "tomcatv --size 12 --steps 3",
                "tomcatv/TomcatvMesh",
                "RELAXATION = 0.9 => RELAXATION = 0.91",
                "0.25 * (xt * xt + yt * yt) => 0.25 * (xt * xt + xt * yt)",
                "0.25 * (xs * xs + => 0.26 * (xs * xs +",
                "0.125 => 0.126",
                "2 * b + 2 / => 2.01 * b + 2 /",
                "- q.get(row - 1, column + 1) => + q.get(row - 1, column + 1)",
                "diagonal.get(row, column) - side => diagonal.get(row, column) + side");
    }

    private static void add(
            List<Mutation> all, String words, String source, String... replacements) {
        for (String replacement : replacements) {
            String[] both = replacement.split(" => ");
            all.add(new Mutation(words, source, both[0], both[1]));
        }
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void wrongStencil_isNotVerified(Mutation mutation) throws Exception {
        Verdict verdict = verdict(mutation.words(), mutated(mutation), "dsm", 2);

        assertFalse(verdict.right(), verdict::toString);
    }

    /** Its sequential version, alone, is as wrong. */
    @Test
    void wrongStencil_isNotVerifiedInTheSequentialVersion() throws Exception {
        Mutation mutation = mutations().findFirst().orElseThrow();

        assertFalse(verdict(mutation.words(), mutated(mutation), "seq", 1).right());
    }

    /** That a mutation is found is of its change, and not of how the test loads classes. */
    @Test
    void unchangedStencil_isVerified() throws Exception {
        for (String words : mutations().map(Mutation::words).distinct().toList()) {
            assertTrue(verdict(words, Map.of(), "dsm", 2).right(), words);
        }
    }

    private static Verdict verdict(
            String words, Map<String, byte[]> changed, String version, int nodes)
            throws ReflectiveOperationException {
        List<String> options = new ArrayList<>(Arrays.asList(words.split(" ")));
        String name = options.removeFirst();
        options.addAll(List.of("--version", version));
        String entry = ProgramsByName.named(name).getClass().getName();
        BuiltInProgram program =
                new MutantClasses(StencilMutationsTest.class.getClassLoader(), changed)
                        .loadClass(entry)
                        .asSubclass(BuiltInProgram.class)
                        .getDeclaredConstructor()
                        .newInstance();
        return AppRun.of(() -> program.create(options), nodes).run().verdict();
    }

    /** The classes of the source with the mutation, by name. */
    private Map<String, byte[]> mutated(Mutation mutation) throws IOException {
        String source = Files.readString(SOURCES.resolve(mutation.source() + ".java"));
        assertEquals(1, source.split(Pattern.quote(mutation.right()), -1).length - 1);
        Path changed = folder.resolve(Path.of(mutation.source() + ".java").getFileName());
        Files.writeString(changed, source.replace(mutation.right(), mutation.wrong()));
        Path classes = Files.createDirectories(folder.resolve("classes"));
        int failed =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-nowarn",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                classes.toString(),
                                changed.toString());
        assertEquals(0, failed, mutation::toString);
        Map<String, byte[]> all = new HashMap<>();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = classes.relativize(file).toString().replace('/', '.');
                all.put(
                        name.substring(0, name.length() - ".class".length()),
                        Files.readAllBytes(file));
            }
        }
        return all;
    }
}
