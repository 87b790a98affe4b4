package io.muninn.launch.option;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The flags of the JVMs of each node. */
class ApplicationOptionsTest {
    private static ApplicationOptions options(String line) {
        ApplicationOptions options = new ApplicationOptions();
        new CommandLine(options).parseArgs(line.split(" "));
        return options;
    }

    private static String refusal(ApplicationOptions options, int processes) {
        return assertThrows(IllegalArgumentException.class, () -> options.check(2, processes))
                .getMessage();
    }

    @Test
    void optionOfOneNode_isItsAlone() {
        ApplicationOptions options =
                options("--jvm-option -Xlog:gc:file=gc-%n --jvm-option 1:-Xmx1g --gc Serial");
        options.check(2, 1);

        assertEquals(List.of("-XX:+UseSerialGC", "-Xlog:gc:file=gc-0"), options.flags(0));
        assertEquals(List.of("-XX:+UseSerialGC", "-Xlog:gc:file=gc-1", "-Xmx1g"), options.flags(1));
    }

    @Test
    void debuggedNode_waitsOnThePortThatIsPrinted() {
        ApplicationOptions options = options("--debug 1 --tag-output");
        options.check(2, 1);

        String hint = options.hints(0, 1).getFirst();
        String port = hint.substring(hint.lastIndexOf(' ') + 1);
        assertEquals("node 1 waits for a debugger on port " + port, hint);
        assertEquals(List.of(), options.hints(2, 3));
        assertEquals(List.of("-Dmuninn.tag.output=true"), options.flags(0));
        String last = options.flags(1).getLast();
        assertTrue(last.startsWith("-agentlib:jdwp=") && last.endsWith(":" + port), last);
        assertEquals("--debug is for nodes of one process, not of 3", refusal(options, 3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--jvm-option 2:-Xmx1g | the node of --jvm-option 2:-Xmx1g: 2 is outside",
                "--jvm-option 1:x | --jvm-option '1:x' is no option of a JVM",
                "--debug 2 | --debug 2 is outside the range 0 to 1",
                "--gc G1 --jvm-option 1:-XX:+UseZGC | a JVM has one collector, and there are --gc G1"
                        + " and --jvm-option 1:-XX:+UseZGC; leave one out"
            })
    void optionThatNoJvmCanHave_isRefused(String line, String expected) {
        String text = refusal(options(line), 1);

        assertTrue(text.startsWith(expected), text);
    }

    @Test
    void collectorOfTheEnvironment_isNamedBesideAnother() {
        Map<String, String> variables = Map.of("JAVA_TOOL_OPTIONS", "-Dx=y -XX:+UseZGC");

        assertDoesNotThrow(() -> options("--gc ZGC").checkCollectors(variables));
        assertEquals(
                "a JVM has one collector, and there are --gc Serial and"
                        + " JAVA_TOOL_OPTIONS=-XX:+UseZGC; leave one out",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> options("--gc Serial").checkCollectors(variables))
                        .getMessage());
    }
}
