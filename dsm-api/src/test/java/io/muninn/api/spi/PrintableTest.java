package io.muninn.api.spi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.DsmException;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.single.SingleNodeProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PrintableTest {
    private static final class Silent extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no text");
        }
    }

    private static final String TEXT =
            ", which cannot be printed: a method of it or of a cause threw"
                    + " java.lang.IllegalStateException";

    @Test
    void usualException_isItself() {
        Exception usual = new Exception("why", new Exception("cause"));

        assertSame(usual, Printable.of(usual));
    }

    @Test
    void exceptionThatCannotBePrinted_keepsItsTypeAndFrames() {
        Silent silent = new Silent();
        Exception outer = new Exception("why", silent);

        Throwable printable = Printable.of(silent);

        assertEquals(Silent.class.getName() + TEXT, printable.getMessage());
        assertArrayEquals(silent.getStackTrace(), printable.getStackTrace());
        assertEquals("java.lang.Exception" + TEXT, Printable.of(outer).getMessage());
    }

    /** The other thread would wait for ever if the failure were not reported. */
    @Test
    void programThatThrowsIt_endsItsOtherThreads() {
        DsmProgram program =
                node -> {
                    if (node.thread() == 1) {
                        throw new Silent();
                    }
                    await(node);
                };

        assertThrows(Silent.class, () -> ProgramRunner.run(program, new SingleNodeProvider(2)));
    }

    private static void await(DsmNode node) {
        String reason =
                assertThrows(DsmException.class, () -> node.barrier("all").await()).getMessage();
        assertEquals(
                "the run has failed on another thread: io.muninn.api.DsmException: "
                        + Silent.class.getName()
                        + TEXT,
                reason);
    }
}
