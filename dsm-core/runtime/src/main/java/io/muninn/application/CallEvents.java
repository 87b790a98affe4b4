package io.muninn.application;

import io.muninn.report.Wait;
import io.muninn.report.WaitKind;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/**
 * The waits of this process's threads for answers of calls, as events of the JDK's Flight Recorder
 * with the stack of the caller. Stops at pages have none: no Java code runs then, and the agent
 * makes their events.
 *
 * <p><b>Threads.</b> Any.
 */
final class CallEvents {
    /** The system property that turns them on. */
    static final String PROPERTY = "muninn.jfr";

    private final int node;

    /** One wait. Its length is its duration. */
    @Name("muninn.Call")
    @Label("Call that Waited")
    @Category("Muninn")
    @Description("A thread of a program has waited for the answer of a call")
    @SuppressWarnings("unused") // the Flight Recorder reads the fields
    private static final class CallEvent extends jdk.jfr.Event {
        @Label("Node")
        int node;

        @Label("Cause")
        String cause = "";

        @Label("About")
        @Description("Lock, barrier, object or node")
        String about = "";
    }

    /**
     * @param node as the program sees it
     */
    CallEvents(int node) {
        this.node = node;
    }

    /** True if calls are recorded. Otherwise no class of the Flight Recorder is loaded. */
    static boolean isOn() {
        return Boolean.getBoolean(PROPERTY);
    }

    /** Waits, and records it. */
    Outcome record(Event.Waiting call, Supplier<Outcome> wait) {
        CallEvent event = new CallEvent();
        event.begin();
        Outcome outcome = wait.get();
        event.end();
        if (event.shouldCommit()) {
            event.node = node;
            event.cause = WaitKind.of(call).word();
            event.about = Wait.about(call);
            event.commit();
        }
        return outcome;
    }
}
