package io.muninn.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.api.Verdict;
import io.muninn.launch.Main;
import io.muninn.sim.ncc.NccProtocol;
import io.muninn.sim.ncc.NccResult;
import io.muninn.sim.ncc.Spent;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The study of machines without coherent caches: its runs, figures and claims. */
class NccStudyTest {
    /** Results of all runs, with these cycles. */
    private static NccRuns pretended(ToLongFunction<NccPoint> cycles) {
        Map<Spent, Long> spent =
                Arrays.stream(Spent.values()).collect(Collectors.toMap(each -> each, _ -> 7L));
        Map<NccPoint, NccResult> results = new LinkedHashMap<>();
        for (NccProgram program : NccProgram.values()) {
            for (NccPoint point : NccStudy.points(program)) {
                long all = cycles.applyAsLong(point);
                NccResult.Processor one = new NccResult.Processor(all, spent, 1, 1);
                results.put(point, new NccResult(Verdict.right("pretended"), all, List.of(one)));
            }
        }
        return new NccRuns(results, List.of());
    }

    @Test
    void figuresAndClaims_areOfRunsThatArePlanned() {
        NccRuns runs = pretended(_ -> 100);
        List<NccFigure> figures = NccStudy.figures(runs);
        assertEquals(12, figures.size());
        for (NccFigure figure : figures) {
            boolean isOfLevels = figure.name().matches("figure-[56]"); // programs differ in levels
            assertTrue(isOfLevels || !figure.markdown().contains("–"), figure::markdown);
        }
        List<Claim> claims = NccClaims.of(runs);
        assertTrue(claims.size() > 40, () -> claims.size() + " claims");
        for (Claim claim : claims) {
            assertEquals("1.00", claim.ours(), claim::text);
        }
    }

    @Test
    void claims_compareWhatTheySay() {
        NccRuns runs =
                pretended(point -> point.protocol() == NccProtocol.CENTRAL_DELAYED ? 300 : 100);
        List<Claim> central =
                NccClaims.of(runs).stream()
                        .filter(each -> each.text().endsWith("one weak list takes longer"))
                        .toList();
        assertEquals(
                List.of(false, false, false, true, false, true),
                central.stream().map(Claim::isHeld).toList(),
                "three-fold for mp3d and water alone");
        assertTrue(central.stream().allMatch(each -> each.ours().equals("3.00")));
    }

    @Test
    void missingProgram_isAFailure() throws InterruptedException {
        NccPoint point = NccPoint.best(NccProgram.SOR, 4);
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        NccRuns runs = NccRuns.of(List.of(point), Map.of(), true, 1, nowhere);
        assertTrue(runs.results().isEmpty());
        assertTrue(runs.failures().getFirst().contains("program sor is missing"));
        assertTrue(Double.isNaN(runs.ratio(point, point)));
        assertTrue(NccClaims.of(runs).isEmpty(), "nothing was run");
        NccRuns twice = runs.plus(runs);
        assertEquals(2, twice.failures().size());
    }

    @Test
    void hardware_hasNothingRemote() {
        List<NccPoint> three = NccStudy.hardware(NccProgram.MP3D, NccStudy.FEW);
        assertEquals(
                List.of("remote", "sorted", "sorted"),
                three.stream().map(NccPoint::level).toList());
    }

    @Tag("slow")
    @Test
    void command_writesTheSamePagesTwice(@TempDir Path folder) throws IOException {
        for (String out : List.of("one", "other")) {
            PrintWriter nowhere = new PrintWriter(new StringWriter());
            List<String> words =
                    List.of("paper", "ncc", "--quick", "--out", folder.resolve(out).toString());
            assertEquals(ExitStatus.OK, Main.execute(words, nowhere, nowhere));
        }
        try (Stream<Path> files = Files.list(folder.resolve("one"))) {
            for (Path file : files.toList()) {
                Path same = folder.resolve("other").resolve(file.getFileName());
                assertEquals(Files.readString(file), Files.readString(same), file::toString);
            }
        }
        String page = Files.readString(folder.resolve("one").resolve("results.md"));
        assertTrue(page.contains("## Claims of section 4.4"), page);
    }
}
