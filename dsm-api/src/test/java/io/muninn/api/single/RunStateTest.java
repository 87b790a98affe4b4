package io.muninn.api.single;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a run at each moment of a thread's wait. */
@Timeout(30)
class RunStateTest {
    private final RunState state = new RunState();
    private final CountDownLatch never = new CountDownLatch(1);

    /** Clears the interrupt, so that no other test of this thread finds it. */
    @AfterEach
    void forgetInterrupt() {
        Thread.interrupted();
    }

    private static IllegalStateException failure() {
        return new IllegalStateException("gone");
    }

    private boolean failThenAwait() throws InterruptedException {
        state.fail(failure());
        never.await();
        return true;
    }

    private int failThenReturn() {
        state.fail(failure());
        return 7;
    }

    @Test
    void endBeforeTheWait_throwsAndInterruptsNobody() {
        state.fail(failure());

        assertThrows(DsmException.class, () -> state.uninterruptibly(this::failThenReturn));
        assertFalse(Thread.interrupted());
    }

    @Test
    void endWithinTheWait_endsIt() {
        DsmException ended =
                assertThrows(DsmException.class, () -> state.interruptibly(this::failThenAwait));

        assertEquals(
                "the run has failed on another thread: java.lang.IllegalStateException: gone",
                ended.getMessage());
        assertFalse(Thread.interrupted());
    }

    @Test
    void endAfterWhatWasWaitedFor_leavesNoInterruptBehind() throws Exception {
        assertEquals(7, state.interruptibly(this::failThenReturn));
        assertFalse(Thread.interrupted());
    }

    /** The first call is ended by an interrupt from outside; the second one completes. */
    private <T> RunState.Wait<T> interruptedAtFirst(RunState.Wait<T> rest) {
        boolean[] isSecond = new boolean[1];
        return () -> {
            if (!isSecond[0]) {
                isSecond[0] = true;
                Thread.currentThread().interrupt();
                never.await();
            }
            return rest.get();
        };
    }

    @Test
    void interruptFromOutside_isKeptForLater() {
        assertEquals(7, state.uninterruptibly(interruptedAtFirst(() -> 7)));
        assertTrue(Thread.interrupted());
    }

    @Test
    void interruptFromOutsideBeforeTheEnd_isKeptForLater() {
        assertThrows(
                DsmException.class,
                () -> state.uninterruptibly(interruptedAtFirst(this::failThenAwait)));
        assertTrue(Thread.interrupted());
    }
}
