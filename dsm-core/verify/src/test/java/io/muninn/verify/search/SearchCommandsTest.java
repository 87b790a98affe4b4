package io.muninn.verify.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.launch.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchCommandsTest {
    private final StringWriter out = new StringWriter();

    @Test
    void oneSeed_saysWhatItRanAndHasOneTraceHash() {
        assertEquals(ExitStatus.OK, run("sim --seed 0x2a --protocol migratory -n 2"));
        String once = take();
        assertEquals(ExitStatus.OK, run("sim --seed 42 --protocol migratory -n 2"));

        assertEquals(once, take());
        assertTrue(once.startsWith("seed 0x2a: "), once);
        assertTrue(once.matches("(?s).*\ntrace hash [0-9a-f]{16}\n"), once);
    }

    @Tag("slow")
    @Test
    void manySeeds_areCountedWithTheCellsThatTheyMet() {
        assertEquals(ExitStatus.OK, run("sim --seeds 1 --jobs 2 -n 2 --calm"));

        String text = take();
        assertTrue(
                text.matches("(?s)\\d{2,} random programs and \\d+ of the corpus, of 1 seeds, .*"),
                text); // several of each
        assertTrue(text.contains("no violation"), text);
        assertTrue(text.contains(" handled cells of the state × event tables were met"), text);
    }

    @Test
    void oneProtocolAlone_canBeAskedFor() {
        assertEquals(ExitStatus.OK, run("sim --seeds 2 --protocol migratory -n 2 --calm"));

        assertTrue(take().contains("; 0 runs lost a node"));
    }

    @Tag("slow")
    @Test
    void litmus_printsWhatWasSeen() {
        assertEquals(ExitStatus.OK, run("sim litmus --protocol migratory --seeds 1"));

        String text = take();
        assertTrue(text.startsWith("MP: message passing"), text);
        assertTrue(text.contains("every outcome is allowed"), text);
    }

    @Test
    void mutants_areKilledOrSurvive() {
        assertEquals(ExitStatus.OK, run("sim mutants --count 3 --minutes 0.02 --jobs 1"));

        String text = take();
        assertTrue(text.matches("(?s)3 mutants of \\d+, seed 0x1\n.*"), text);
        assertEquals(
                3,
                text.lines()
                        .filter(line -> line.matches(".* {2}\\w+\\.\\S+:\\d+ .*"))
                        .limit(3)
                        .count(),
                text);
        assertTrue(text.contains("3 mutants in "), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sim --seed seven | seven' is no seed; write a number",
                "sim --seeds 0 | --seeds 0: at least 1",
                "sim --minutes soon | soon' is no number of minutes",
                "sim --jobs 0 | --jobs 0 is outside the range",
                "sim --threads 2 | unknown option '--threads'",
                "sim random --seedz 3 | unknown option '--seedz'; did you mean --seed?",
                "sim random hello | unknown command 'hello'",
                "sim -n 1025 | -n 1025 is outside the range 1 to 1024",
                "sim -n 65 --weak-frames pool | frames in pool on 65 nodes: a pool has at most 64",
                "sim litmus --protocol read-only | no litmus test is for read-only",
                "sim mutants --count 0 | --count 0 is outside the range 1 to 100000",
                "sim mutants --calm | unknown option '--calm'",
                "sim --minutes 1 nothing | unknown option '--minutes'"
            })
    void unusableCommandLine_isOneClearLineAndStatus2(String line, String expected) {
        assertEquals(ExitStatus.USAGE, run(line));

        String text = take();
        assertTrue(text.contains(expected), text);
        assertEquals(1, text.lines().count(), text);
    }

    @Test
    void help_listsTheSearches() {
        assertEquals(ExitStatus.OK, run("sim --help"));

        String text = take();
        assertTrue(text.contains("random"), text);
        assertTrue(text.contains("mutants"), text);
    }

    private int run(String line) {
        PrintWriter both = new PrintWriter(out, true);
        return Main.execute(List.of(line.split(" ")), both, both);
    }

    private String take() {
        String text = out.toString();
        out.getBuffer().setLength(0);
        return text;
    }
}
