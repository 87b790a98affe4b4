package io.muninn.agent.calls;

import io.muninn.model.NodeId;
import io.muninn.spi.Outcome;
import java.util.List;
import java.util.function.Consumer;

/**
 * The calls in which the processes of a node wait for the start of the run. The first of start,
 * loss and refusal answers them; later ones are ignored.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
public final class ReadyCall {
    private List<CallConnection> waiting; // empty once they are answered

    /**
     * @param callers one for each process
     */
    public ReadyCall(List<CallConnection> callers) {
        waiting = List.copyOf(callers);
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
        List<CallConnection> all = waiting;
        waiting = List.of();
        all.forEach(how);
    }
}
