package io.muninn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.launch.option.Programs;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Where the words of a command line stand, and whose they are. */
class OptionsBehindTest {
    /** A program with an option that {@code dsm run} has, too. */
    private static final class Grid implements BuiltInProgram {
        @Override
        public String name() {
            return "grid";
        }

        @Override
        public String summary() {
            return "";
        }

        @Override
        public String usage() {
            return "--rows N    of the grid, like --json\n--threads=N its own";
        }

        @Override
        public List<String> versions() {
            return List.of("dsm");
        }

        @Override
        public DsmProgram create(List<String> options) {
            throw new UnsupportedOperationException("never run");
        }
    }

    private static String moved(String line) {
        List<String> words = List.of(line.split(" "));
        CommandLine main = Main.commandLine(words);
        return String.join(
                " ", OptionsBehind.moved(main, words, () -> Programs.of(List.of(new Grid()))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run grid --rows 5 -n 4 | run -n 4 grid --rows 5",
                "run --stats grid -n4 --rows 5 -Dx=y | run --stats -n4 -Dx=y grid --rows 5",
                "run -n 2 grid --json - --rows 5 | run -n 2 --json - grid --rows 5",
                "run grid --threads 3 | run grid --threads 3",
                "run other --threads 3 | run --threads 3 other",
                "run grid -n 4 -- -n 5 -- x | run -n 4 grid -n 5 -- x",
                "run grid --help | run grid --help",
                "run --class-path c grid --threads=3 --version | run --class-path c --threads=3"
                        + " grid --version",
                "run grid --jvm-option -n --class-path c a | run --jvm-option -n --class-path c"
                        + " grid a",
                "compare grid -n 4 --rows 5 --repeat 3 | compare -n 4 --repeat 3 grid --rows 5",
                "sim grid --network rack --rows 5 | sim --network rack grid --rows 5",
                "node --id 0 -- java -n 5 | node --id 0 -- java -n 5",
                "doctor --json | doctor --json",
                "run -n 2 | run -n 2",
                "run -n | run -n"
            })
    void optionsOfTheCommand_areMovedInFrontOfTheProgram(String line, String expected) {
        assertEquals(expected, moved(line));
    }

    @Test
    void optionWithoutItsValue_isNamed() {
        assertEquals(
                "Missing required parameter for option '--json'",
                assertThrows(ParameterException.class, () -> moved("run grid --json"))
                        .getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "sim", "compare"})
    void helpBehindAProgram_isThatOfTheProgram(String command) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String name = CommandLineTest.Nothing.class.getName();

        int status =
                Main.execute(
                        List.of(command, "--class-path", "target/test-classes", name, "--help"),
                        new PrintWriter(out),
                        new PrintWriter(err, true));

        assertEquals("", err.toString());
        assertEquals(name + " takes no options\n", out.toString());
        assertEquals(0, status);
    }
}
