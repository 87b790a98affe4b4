package io.muninn.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.spi.BuiltInProgram;
import io.muninn.launch.Paper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Munin's tables and figures at small sizes: what comes out, and that it comes out again. */
@Timeout(300)
class MuninPaperTest {
    @TempDir private Path folder;

    @Test
    void smallSizes_giveTheSameFilesWhateverTheSchedule() throws Exception {
        String progress = run("one", 1);
        run("two", 2);

        assertTrue(progress.contains("1991 "), progress);
        List<Path> files = files("one");
        assertEquals(files, files("two"));
        for (Path file : files) {
            assertTrue(
                    Arrays.equals(
                            Files.readAllBytes(folder.resolve("one").resolve(file)),
                            Files.readAllBytes(folder.resolve("two").resolve(file))),
                    file::toString);
        }
        assertTrue(files.contains(Path.of("table-2.csv")), files::toString);
        assertTrue(files.contains(Path.of("today", "figure-11.png")), files::toString);
    }

    @Test
    void unknownNames_areRefused() {
        assertRefused("unknown program 'nothing'", List.of("nothing"), List.of());
        assertRefused("unknown model '1990' (known: 1991, today)", List.of(), List.of("1990"));
    }

    private static void assertRefused(String text, List<String> programs, List<String> models) {
        Paper.Request request = new Paper.Request(programs, List.of(1), models, true, 1);
        IllegalArgumentException refusal =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> new Munin().prepare(request, Collections.emptySortedMap()));
        assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
    }

    private String run(String name, int jobs) throws Exception {
        SortedMap<String, BuiltInProgram> installed = new TreeMap<>();
        ServiceLoader.load(BuiltInProgram.class).forEach(each -> installed.put(each.name(), each));
        MuninPaper paper =
                new MuninPaper(
                        new Paper.Request(List.of(), List.of(1, 4), List.of(), true, jobs),
                        installed);
        StringWriter progress = new StringWriter();
        List<String> failures = paper.simulate(folder.resolve(name), new PrintWriter(progress));
        assertEquals(List.of(), failures);
        return progress.toString();
    }

    private List<Path> files(String name) throws IOException {
        Path root = folder.resolve(name);
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile).map(root::relativize).sorted().toList();
        }
    }
}
