package io.muninn.launch.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import picocli.CommandLine.Option;

/** What is known of the options of a program of the user. */
@Isolated("it replaces the standard streams")
class OwnHelpTest {
    private abstract static class Program implements DsmProgram {
        @Override
        public void run(DsmNode node) {}
    }

    static final class Plain extends Program {}

    static final class Annotated extends Program {
        @Option(names = "--rows", paramLabel = "N", description = "of the grid (${DEFAULT-VALUE})")
        int rows = 77;

        Annotated(String[] options) {
            rows += options.length;
        }
    }

    static final class Refusing extends Program {
        Refusing(List<String> options) {
            throw new IllegalArgumentException("unknown option " + options.getFirst());
        }
    }

    static final class Silent extends Program {
        Silent(String[] options) {}
    }

    @TempDir private Path folder;

    private String help(Class<?> type) {
        StringWriter text = new StringWriter();
        OwnHelp.print(Programs.own(type.getName(), List.of(folder)), new PrintWriter(text));
        return text.toString();
    }

    @Test
    void annotatedFields_areListedWithTheirDefaults() {
        String text = help(Annotated.class);

        assertTrue(text.startsWith("Usage: " + Annotated.class.getName() + " [--rows=N]"), text);
        assertTrue(text.contains("--rows=N   of the grid (77)"), text);
    }

    @Test
    void constructor_saysWhatItTakes() {
        assertEquals(Plain.class.getName() + " takes no options\n", help(Plain.class));
        assertEquals(Refusing.class.getName() + ": unknown option --help\n", help(Refusing.class));
        assertEquals(
                Silent.class.getName() + " takes options, and does not describe them\n",
                help(Silent.class));
    }
}
