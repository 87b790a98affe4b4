package io.muninn.application;

import io.muninn.ipc.Call;
import io.muninn.link.ProgramPlace;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells the agent where the threads of this process stand in the program, whenever it asks.
 *
 * <p><b>Threads.</b> Its own; {@link #add} on any.
 */
final class Places implements Runnable {
    /** The thread of the JVM that waits for the others when main has ended. */
    private static final String END_OF_MAIN = "DestroyJavaVM";

    private final Map<Thread, Integer> threads = new ConcurrentHashMap<>();
    private final AgentAddress agent;

    Places(AgentAddress agent) {
        this.agent = agent;
    }

    /** Adds the calling thread. */
    void add(int number) {
        threads.put(Thread.currentThread(), number);
    }

    void start() {
        Thread.ofPlatform().name("muninn-places").daemon(true).start(this);
    }

    @Override
    public void run() {
        try (AgentConnection connection =
                new AgentConnection(agent.socket(), agent.token(), -1 - agent.process())) {
            String last = "";
            while (true) {
                connection.start(Call.PLACES).text(last);
                connection.call();
                last = describe();
            }
        } catch (AgentGoneException over) {
            return; // nobody asks any more
        }
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
            Thread thread = each.getKey();
            Integer number = threads.get(thread);
            if (number != null) {
                ProgramPlace.of(each.getValue())
                        .ifPresent(place -> text.append(number + " " + place + "\n"));
            } else if (!thread.isDaemon() && !thread.getName().equals(END_OF_MAIN)) {
                text.append("-1 " + thread.getName().replaceAll("\\s+", " ") + "\n");
            }
        }
        return text.toString();
    }
}
