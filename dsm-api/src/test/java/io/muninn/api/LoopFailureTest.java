package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The exception that the sequential part gets for an exception of a body, also for hostile ones.
 */
class LoopFailureTest {
    private static final class Silent extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no text");
        }
    }

    /** No node can call its constructor. */
    private static final class Odd extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Odd(int place) {
            super(new IOException("bad disk"));
            addSuppressed(new IllegalStateException("place " + place));
        }

        @Override
        public String getMessage() {
            return "odd";
        }
    }

    /** Throws a checked exception, as Kotlin and reflection may. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException hidden(Throwable checked) throws T {
        throw (T) checked;
    }

    private static RuntimeException thrown(String kind) {
        return switch (kind) {
            case "silent" -> new Silent();
            case "odd" -> new Odd(7);
            case "checked" -> LoopFailureTest.<RuntimeException>hidden(new IOException("full"));
            case "assertion" ->
                    throw new AssertionError("at 7", new IllegalStateException("cause"));
            default -> new IllegalStateException("\uD800");
        };
    }

    private static final class Failing implements LoopProgram {
        private final String kind;
        private final Loop<String, None> wrong =
                Loop.each(
                        String.class,
                        (kind, i) -> {
                            if (i == 7) {
                                throw thrown(kind);
                            }
                        });
        private LoopException seen;

        Failing(String kind) {
            this.kind = kind;
        }

        @Override
        public void run(Team team) {
            seen = assertThrows(LoopException.class, () -> team.forEach(0, 10, wrong, kind));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"silent", "assertion", "odd", "checked", "surrogate"})
    void exceptionOfABody_hasItsIndexTypeAndText(String kind) {
        Failing program = new Failing(kind);

        Dsm.run(program);

        assertEquals(7, program.seen.index());
        Throwable cause = program.seen.getCause();
        String begin = "loop 'wrong' failed at index 7, on node 0, thread 0: ";
        assertTrue(program.seen.getMessage().startsWith(begin), program.seen::getMessage);
        String text = program.seen.getMessage().substring(begin.length());
        switch (kind) {
            case "silent" ->
                    assertEquals(
                            Silent.class.getName(),
                            assertInstanceOf(ShippedCallException.class, cause).type());
            case "assertion" -> {
                assertEquals("at 7", assertInstanceOf(AssertionError.class, cause).getMessage());
                assertEquals(
                        "java.lang.AssertionError: at 7, caused by"
                                + " java.lang.IllegalStateException: cause",
                        text);
            }
            case "odd" ->
                    assertEquals(
                            Odd.class.getName() + ": odd, caused by java.io.IOException: bad disk",
                            text);
            case "checked" -> assertEquals("java.io.IOException: full", text);
            default ->
                    assertEquals(
                            "\uD800",
                            assertInstanceOf(IllegalStateException.class, cause).getMessage());
        }
    }

    private static final class Nested implements LoopProgram {
        private final Loop<None, None> inner =
                Loop.each(i -> {
                    throw new IllegalStateException("no " + i);
                });
        private final Loop<None, None> outer =
                Loop.parts(None.class, (_, part) -> part.team().forEach(3, 5, inner()));
        private String text = "";

        private Loop<None, None> inner() {
            return inner;
        }

        @Override
        public void run(Team team) {
            text = assertThrows(LoopException.class, () -> team.forEach(0, 1, outer)).getMessage();
        }
    }

    @Test
    void exceptionOfAnInnerLoop_isInTheTextOfTheOuterOne() {
        Nested program = new Nested();

        Dsm.run(program);

        assertEquals(
                "loop 'outer' failed at index 0, on node 0, thread 0:"
                        + " io.muninn.api.LoopException: loop 'inner' failed at index 3, on node 0,"
                        + " thread 0: java.lang.IllegalStateException: no 3",
                program.text);
    }
}
