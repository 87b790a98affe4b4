package io.muninn.nativefault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/**
 * An agent that resolves nothing, and an application that it monitors; both are child processes.
 */
record Watched(Child agent, Child application) implements AutoCloseable {
    static final long LOSS_MILLIS = 1500;
    static final long SLACK_MILLIS = 1500;

    /** With an application in C. */
    static Watched start(EngineKind kind) {
        String name = Pair.name();
        Child agent = startAgent(name);
        return of(
                agent,
                Pair.startApplication(kind, name, Pair.token(), LOSS_MILLIS, 16L * Pair.PAGE));
    }

    /** With an application in a JVM. */
    static Watched startJvm(EngineKind kind) {
        String name = Pair.name();
        Child agent = startAgent(name);
        return of(agent, Pair.startJvmApplication(kind, name, LOSS_MILLIS, 16L * Pair.PAGE));
    }

    private static Child startAgent(String name) {
        String token = HexFormat.of().formatHex(Pair.token());
        Child agent = Child.startJvm(AgentMain.class, Pair.QUICK, name, token);
        assertEquals("listening", agent.line());
        return agent;
    }

    private static Watched of(Child agent, Child application) {
        assertTrue(application.line().startsWith("attached"));
        return new Watched(agent, application);
    }

    /** Blocks two threads in faults that are never resolved, one of them in a store. */
    void block() {
        application.say("a get 0");
        application.say("b put " + Pair.PAGE + " 1");
        assertTrue(agent.line().startsWith("fault"));
        assertTrue(agent.line().startsWith("fault"));
    }

    long millisToTheEnd() {
        long start = System.nanoTime();
        assertEquals(3, application.end(LOSS_MILLIS + SLACK_MILLIS));
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    @Override
    public void close() {
        application.close();
        agent.close();
    }
}
