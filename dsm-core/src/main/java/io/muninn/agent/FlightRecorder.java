package io.muninn.agent;

import io.muninn.protocol.Event;
import io.muninn.sync.SyncMessage;
import java.io.PrintWriter;
import java.io.StringWriter;

/** The last events of a node, told when it halts on a violation. */
final class FlightRecorder {
    private static final int EVENTS_MAX = 256;

    /** Events, or texts of those that would keep a program's message in memory. */
    private final Object[] events = new Object[EVENTS_MAX];

    private long count;

    void add(Event event) {
        events[(int) (count % EVENTS_MAX)] = carriesLetter(event) ? event.toString() : event;
        count++;
    }

    private static boolean carriesLetter(Event event) {
        return event instanceof Event.SendCalled
                || event instanceof Event.MessageArrived(_, SyncMessage.Letter _, _);
    }

    /** The cause, its stack, and the last events, oldest first. */
    String describe(Throwable cause) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        out.println("violation: " + cause.getMessage());
        cause.printStackTrace(out);
        out.println("last events, oldest first:");
        for (long i = Math.max(0, count - EVENTS_MAX); i < count; i++) {
            out.println("  " + events[(int) (i % EVENTS_MAX)]);
        }
        return text.toString();
    }
}
