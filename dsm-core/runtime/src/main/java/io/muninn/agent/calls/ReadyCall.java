package io.muninn.agent.calls;

import io.muninn.model.NodeId;
import io.muninn.spi.Outcome;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The call in which the application waits for the start of the run. The first of start, loss and
 * refusal answers it; what comes after that, while the run ends, has nobody to tell.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
public final class ReadyCall {
    private Optional<CallConnection> waiting = Optional.empty();

    /** The application waits from now on. */
    public void made(CallConnection caller) {
        waiting = Optional.of(caller);
    }

    public void started() {
        answer(caller -> caller.done(0));
    }

    public void lost(NodeId node, String reason) {
        answer(caller -> caller.answer(new Outcome.Lost(node.index(), reason)));
    }

    /** The application says why, and ends. */
    public void refused(String text) {
        answer(caller -> caller.refused(text));
    }

    private void answer(Consumer<CallConnection> how) {
        Optional<CallConnection> first = waiting;
        waiting = Optional.empty();
        first.ifPresent(how);
    }
}
