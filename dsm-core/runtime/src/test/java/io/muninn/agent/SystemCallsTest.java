package io.muninn.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.nativefault.SystemCall;
import org.junit.jupiter.api.Test;

/** The text for a machine that refuses a system call. */
class SystemCallsTest {
    private static final int EPERM = 1;
    private static final int EMFILE = 24;

    @Test
    void thisMachine_permitsAll() {
        assertTrue(SystemCalls.attempt().isComplete(), SystemCalls.attempt()::text);
    }

    @Test
    void refusedCalls_areNamedWithTheirErrnoAndTheRemedy() {
        SystemCalls filtered =
                SystemCalls.attempt(call ->
                        switch (call) {
                            case EVENTFD2, TIMERFD_CREATE -> EPERM;
                            default -> 0;
                        });

        assertFalse(filtered.isComplete());
        assertEquals("eventfd2 EPERM (1), timerfd_create EPERM (1)", filtered.text());
        assertEquals(
                "a filter of system calls that lets them through: the seccomp profile of the"
                        + " container, or SystemCallFilter of the service",
                filtered.needs());
    }

    @Test
    void tooFewDescriptors_areNoFilter() {
        SystemCalls full = SystemCalls.attempt(call -> call == SystemCall.SOCKETPAIR ? EMFILE : 0);

        assertEquals("socketpair EMFILE (24)", full.text());
        assertEquals("more open files: raise 'ulimit -n'", full.needs());
    }
}
