package io.muninn.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.launch.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What bash completes with the script of {@code dsm completion}, with the commands of benchmarks.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CompletionTest {
    /** What a shell does when the user presses the key; the words are its arguments. */
    private static final String PRESS =
            """
            . "$0"
            compopt() { :; } # works only when a user presses it
            [ "$(complete -p dsm)" = "complete -o default -F _complete_dsm dsm" ] || exit 1
            COMP_WORDS=(dsm "$@")
            COMP_CWORD=$#
            COMP_LINE=${COMP_WORDS[*]}
            _complete_dsm
            printf '%s\n' "${COMPREPLY[@]}"
            """;

    private Path script = Path.of("");

    @BeforeAll
    void generate(@TempDir Path folder) throws IOException {
        StringWriter out = new StringWriter();
        List<String> words = List.of("completion", "--also", "javac,test:--all", "bash");
        int status = Main.execute(words, new PrintWriter(out), new PrintWriter(System.err));
        assertEquals(0, status);
        script = Files.writeString(folder.resolve("dsm"), out.toString());
    }

    private Set<String> complete(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", PRESS, script.toString()));
        command.addAll(List.of(words));
        Process bash = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, bash.waitFor(), text);
        return new TreeSet<>(text.lines().filter(line -> !line.isEmpty()).toList());
    }

    @Test
    void commands_areThoseOfAllModulesAndOfTheScript() throws IOException, InterruptedException {
        assertEquals(Set.of("bench"), complete("b"));
        assertEquals(Set.of("completion", "compare"), complete("comp"));
        assertEquals(Set.of("javac"), complete("j"));
        assertEquals(
                Set.of("cvm", "hlrc", "mowry", "munin", "ncc", "scaling"), complete("paper", ""));
    }

    @Test
    void options_areThoseOfTheCommand() throws IOException, InterruptedException {
        assertEquals(Set.of("--engine"), complete("run", "--eng"));
        assertEquals(Set.of("--only", "--out"), complete("bench", "--o"));
        assertEquals(Set.of("--live"), complete("paper", "munin", "--l"));
        assertEquals(Set.of("--all"), complete("test", "--"));
        assertEquals(Set.of(), complete("completion", "--al")); // is not for users
    }

    @Test
    void values_areCompletedAndSoArePrograms() throws IOException, InterruptedException {
        assertEquals(Set.of("uffd+event", "uffd+signal"), complete("run", "--engine", "uff"));
        assertEquals(Set.of("home-based", "hybrid"), complete("run", "--protocol", "h"));
        assertEquals(Set.of("bash", "zsh"), complete("completion", ""));
        assertEquals(Set.of("hello"), complete("run", "-n", "2", "hel"));
        assertEquals(Set.of("tsp-c", "tsp-f"), complete("compare", "tsp"));
        assertEquals(Set.of(), complete("compare", "benc")); // runs inside of that command only
    }
}
