package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CoroutineTest {
    private final List<String> said = new ArrayList<>();
    private final AtomicReference<Coroutine> self = new AtomicReference<>();

    private Coroutine start(Runnable code) {
        Coroutine coroutine = new Coroutine("test", code);
        self.set(coroutine);
        return coroutine;
    }

    @Test
    void codeAndCaller_takeTurns() {
        Coroutine coroutine =
                start(() -> {
                    for (int i = 0; i < 3; i++) {
                        said.add("code " + i);
                        self.get().suspend();
                    }
                });

        for (int i = 0; i < 3; i++) {
            coroutine.resume();
            said.add("caller " + i);
        }
        assertFalse(coroutine.isEnded());
        coroutine.resume();

        assertEquals(
                List.of("code 0", "caller 0", "code 1", "caller 1", "code 2", "caller 2"), said);
        assertTrue(coroutine.isEnded());
    }

    @Test
    void interrupt_isSeenAtOnceAndFoundByTheCodeWhenItGoesOn() {
        Coroutine coroutine =
                start(() -> {
                    self.get().suspend();
                    said.add("interrupted " + Thread.interrupted());
                    self.get().suspend();
                    said.add("interrupted " + Thread.interrupted());
                });
        coroutine.resume();

        coroutine.thread().interrupt();
        for (int i = 0; i < 100_000; i++) {
            assertTrue(coroutine.isInterrupted()); // while the thread wakes up and parks again
        }
        coroutine.resume();
        assertFalse(coroutine.isInterrupted());
        coroutine.resume();

        assertEquals(List.of("interrupted true", "interrupted false"), said);
    }

    @Test
    void abandonedCode_runsItsFinallyBlocksAndItsThreadEnds() throws InterruptedException {
        Coroutine coroutine =
                start(() -> {
                    try {
                        self.get().suspend();
                        said.add("went on");
                    } finally {
                        said.add("finally");
                    }
                });
        coroutine.resume();

        coroutine.abandon();

        assertEquals(List.of("finally"), said);
        assertTrue(coroutine.isEnded());
        coroutine.thread().join();
    }

    @Test
    void codeThatWasNeverResumed_isAbandonedWithoutRunning() {
        Coroutine coroutine = start(() -> said.add("ran"));

        coroutine.abandon();

        assertTrue(coroutine.isEnded());
        assertEquals(Thread.State.NEW, coroutine.thread().getState());
        assertEquals(List.of(), said);
    }

    @Test
    void codeThatSwallowsTheError_isLeftWhereItIs() {
        Coroutine coroutine =
                start(() -> {
                    while (true) {
                        try {
                            self.get().suspend();
                        } catch (Abandoned swallowed) {
                            said.add("again");
                        }
                    }
                });
        coroutine.resume();

        coroutine.abandon();

        assertTrue(coroutine.isEnded());
        assertEquals(1000, said.size());
    }
}
