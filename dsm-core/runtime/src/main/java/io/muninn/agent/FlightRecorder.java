package io.muninn.agent;

import io.muninn.spi.Event;
import io.muninn.sync.SyncMessage;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Records the last events of a node, to be printed when it halts on a violation. */
final class FlightRecorder {
    private static final int EVENTS_MAX = 256;

    /** Events; of an event with a body, its text, so that the body can be collected. */
    private final Object[] events = new Object[EVENTS_MAX];

    private long count;

    void add(Event event) {
        events[(int) (count % EVENTS_MAX)] = carriesBody(event) ? event.toString() : event;
        count++;
    }

    private static boolean carriesBody(Event event) {
        return switch (event) {
            case Event.SendCalled _ -> true;
            case Event.ShipCalled _, Event.PostCalled _, Event.CallServed _ -> true;
            case Event.MessageArrived(_, SyncMessage.Letter _, _) -> true;
            case Event.MessageArrived(_, SyncMessage.ShippedCall _, _) -> true;
            case Event.MessageArrived(_, SyncMessage.ShippedReply _, _) -> true;
            default -> false;
        };
    }

    /** Describes the cause, its stack trace, and the last events, oldest first. */
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
