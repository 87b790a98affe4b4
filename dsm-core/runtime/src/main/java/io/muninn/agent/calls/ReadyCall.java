package io.muninn.agent.calls;

import io.muninn.model.NodeId;
import io.muninn.spi.Outcome;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The call in which the application waits for the start of the run. The first of start, loss and
 * refusal answers it; later ones are ignored.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
public final class ReadyCall {
    private Optional<CallConnection> waiting; // empty once it is answered

    public ReadyCall(CallConnection caller) {
        waiting = Optional.of(caller);
    }

    public void started() {
        answer(caller -> caller.done(0));
    }

    public void lost(NodeId node, String reason) {
        answer(caller -> caller.answer(new Outcome.Lost(node.index(), reason)));
    }

    /** The application reports the text as a failure and ends. */
    public void refused(String text) {
        answer(caller -> caller.refused(text));
    }

    private void answer(Consumer<CallConnection> how) {
        Optional<CallConnection> first = waiting;
        waiting = Optional.empty();
        first.ifPresent(how);
    }
}
