package io.muninn.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.launch.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaperCommandTest {
    private final StringWriter out = new StringWriter();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "paper | paper: which paper? There are 'cvm', 'hlrc', 'mowry', 'munin' and 'ncc'; 'scaling'",
                "paper ivy | dsm paper: unknown command 'ivy'",
                "papre munin | dsm: unknown command 'papre'; did you mean paper?",
                "paper munin --engine uffd hello | unknown engine 'uffd' (known: auto,",
                "paper munin --nodes 2,-3 | dsm paper munin: --nodes -3 is outside the range 1 to",
                "paper munin --nodes , | --nodes names none",
                "paper munin --programs , | --programs names none",
                "paper munin --programs sort | unknown program 'sort' (known: ",
                "paper munin --model 1990 | unknown model '1990' (known: 1991, today)",
                "paper munin --jobs 0 | --jobs 0 is outside the range 1 to 1024",
                "paper ncc --write-policy write-around | unknown write policy 'write-around' (known: w",
                "paper ncc --cache-bytes -1 | --cache-bytes: cache bytes: -1 is no power of two",
                "paper ncc --cache-bytes 64 | --cache-bytes: a cache of 64 bytes has no set of 4 lines",
                "paper ncc --cache-bytes 4096 --update-docs | not with --quick, --write-policy or",
                "paper scaling --programs mult | unknown program 'mult' (known: diff, jacobi)",
                "paper scaling --quick --update-docs | not with --quick or --programs",
                "paper cvm --quick --update-docs | not with --quick, --programs or --nodes"
            })
    void unusableCommandLine_isOneClearLineAndStatus2(String line, String expected) {
        assertEquals(ExitStatus.USAGE, run(line));

        String text = out.toString();
        assertTrue(text.contains(expected), text);
        assertEquals(1, text.lines().count(), text);
    }

    @Test
    void help_namesThePapers() {
        assertEquals(ExitStatus.OK, run("paper --help"));

        String text = out.toString();
        assertTrue(text.contains("Usage: dsm paper"), text);
        assertTrue(text.contains("mowry"), text);
    }

    private int run(String line) {
        PrintWriter both = new PrintWriter(out, true);
        return Main.execute(List.of(line.split(" ")), both, both);
    }
}
