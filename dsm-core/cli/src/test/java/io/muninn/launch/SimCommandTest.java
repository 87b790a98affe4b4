package io.muninn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.agent.lifecycle.ExitStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SimCommandTest {
    private final StringWriter out = new StringWriter();

    @Test
    void oneSeed_saysWhatItRanAndHasOneTraceHash() {
        assertEquals(ExitStatus.OK, run("sim --seed 0x2a --protocol lazy"));
        String once = take();
        assertEquals(ExitStatus.OK, run("sim --seed 42 --protocol lazy"));

        assertEquals(once, take());
        assertTrue(once.startsWith("seed 0x2a: "), once);
        assertTrue(once.matches("(?s).*\ntrace hash [0-9a-f]{16}\n"), once);
    }

    @Test
    void manySeeds_areCountedWithTheCellsThatTheyMet() {
        assertEquals(ExitStatus.OK, run("sim --seeds 2 --jobs 2"));

        String text = take();
        assertTrue(text.matches("(?s)\\d{2,} programs of 2 seeds, .*"), text); // several of each
        assertTrue(text.contains("no violation"), text);
        assertTrue(text.contains(" handled cells of the state × event tables were met"), text);
    }

    @Test
    void oneProtocolAlone_canBeAskedFor() {
        assertEquals(ExitStatus.OK, run("sim --seeds 5 --protocol migratory -n 2 --calm"));

        assertTrue(take().contains("; 0 runs lost a node"));
    }

    @Test
    void litmus_printsWhatWasSeen() {
        assertEquals(ExitStatus.OK, run("sim --program litmus --protocol migratory --seeds 1"));

        String text = take();
        assertTrue(text.startsWith("MP: message passing"), text);
        assertTrue(text.contains("every outcome is allowed"), text);
    }

    @Test
    void mutants_areKilledOrSurvive() {
        assertEquals(ExitStatus.OK, run("sim --mutate 3 --minutes 0.02 --jobs 1"));

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

    @Test
    void mutants_areOfAllProtocolsAndTrouble() {
        assertEquals(ExitStatus.USAGE, run("sim --mutate 3 --calm"));
        assertEquals(ExitStatus.USAGE, run("sim --mutate 0"));
    }

    private int run(String line) {
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out, true));
        return command.execute(line.split(" "));
    }

    private String take() {
        String text = out.toString();
        out.getBuffer().setLength(0);
        return text;
    }
}
