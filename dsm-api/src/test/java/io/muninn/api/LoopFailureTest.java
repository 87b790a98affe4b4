package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the sequential part learns of an exception of a body, whatever the exception does. */
class LoopFailureTest {
    private static final class Silent extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no text");
        }
    }

    private static RuntimeException thrown(String kind) {
        return switch (kind) {
            case "silent" -> new Silent();
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
    @ValueSource(strings = {"silent", "assertion", "surrogate"})
    void exceptionOfABody_hasItsIndexTypeAndText(String kind) {
        Failing program = new Failing(kind);

        Dsm.run(program);

        assertEquals(7, program.seen.index());
        Throwable cause = program.seen.getCause();
        switch (kind) {
            case "silent" ->
                    assertEquals(
                            Silent.class.getName(),
                            assertInstanceOf(ShippedCallException.class, cause).type());
            case "assertion" ->
                    assertEquals(
                            "at 7", assertInstanceOf(AssertionError.class, cause).getMessage());
            default ->
                    assertEquals(
                            "\uD800",
                            assertInstanceOf(IllegalStateException.class, cause).getMessage());
        }
    }
}
