package io.muninn.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.link.RefusedException;
import java.io.EOFException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ApplicationMainTest {
    /** A program without options. */
    public static final class Plain implements DsmProgram {
        @Override
        public void run(DsmNode node) {}
    }

    /** A program that parses its options. */
    public static final class WithOptions implements DsmProgram {
        private final List<String> options;

        public WithOptions(String[] options) {
            this.options = List.of(options);
        }

        @Override
        public void run(DsmNode node) {}
    }

    @AfterEach
    void forget() {
        System.clearProperty(ApplicationMain.PROGRAM_PROPERTY);
    }

    @Test
    void classWithoutOptions_refusesThemByName() {
        String name = Plain.class.getName();

        assertInstanceOf(Plain.class, ApplicationMain.program(List.of("--class", name)));
        assertEquals("unknown option --foo; there are none", refusal(name, "--foo", "3"));
        assertEquals("unknown option foo; there are none", refusal(name, "foo"));
    }

    @Test
    void classWithOptions_isGivenAll() {
        String name = WithOptions.class.getName();

        DsmProgram program = ApplicationMain.program(List.of("--class", name, "--foo", "3"));

        assertEquals(List.of("--foo", "3"), ((WithOptions) program).options);
    }

    @Test
    void failureThatIsNoBug_isALine() {
        EOFException end = new EOFException("the agent has closed the connection");

        assertEquals(
                "its agent is gone: the agent has closed the connection",
                ApplicationMain.text(new AgentGoneException(end)));
        assertEquals("not so", ApplicationMain.text(new RefusedException("not so")));
        String bug = ApplicationMain.text(new IllegalStateException("on purpose"));
        assertTrue(bug.contains("IllegalStateException: on purpose\n\tat "), bug);
    }

    /** An agent may end, or be stopped, before its application has connected. */
    @Test
    void agentThatNobodyIs_isALine() {
        RuntimeException gone =
                assertThrows(
                        RuntimeException.class,
                        () -> new AgentConnection("muninn-nobody", new byte[32], 0));

        String text = ApplicationMain.text(gone);
        assertTrue(text.startsWith("its agent is gone, or does not answer: "), text);
        assertEquals(1, text.lines().count(), text);
    }

    private static String refusal(String name, String... options) {
        List<String> words = new ArrayList<>(List.of("--class", name));
        words.addAll(List.of(options));
        return assertThrows(IllegalArgumentException.class, () -> ApplicationMain.program(words))
                .getMessage();
    }
}
