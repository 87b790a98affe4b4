package io.muninn.agent.calls;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.ipc.Answer;
import io.muninn.model.NodeId;
import io.muninn.nativefault.Mailboxes;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A run that ends while it joins reports its end more than once; a mailbox accepts one answer. */
class ReadyCallTest {
    /** Offset of the answer of the first mailbox, see {@code mailbox.h}. */
    private static final long ANSWER = 64 + (16 << 10) + 8;

    private final MemorySegment memory = Arena.ofAuto().allocate(Mailboxes.BYTES, 64);

    private void assertAnswered(int answer, Consumer<ReadyCall> first, Consumer<ReadyCall> then) {
        CallConnection caller = new CallConnection(new EmbeddedChannel(), 0);
        caller.use(new Mailboxes(memory), 0);
        ReadyCall ready = new ReadyCall(List.of(caller));

        first.accept(ready);
        then.accept(ready);

        assertEquals(answer, memory.get(JAVA_BYTE, ANSWER));
    }

    /** A node is lost; before this node has ended, the root gives up, or its time limit elapses. */
    @Test
    void refusalAfterALoss_isNoSecondAnswer() {
        assertAnswered(
                Answer.LOST,
                call -> call.lost(NodeId.of(2), "gone"),
                call -> call.refused("node 2 did not join"));
    }

    /** One node is notified of a loss; the root is not, and sends start. */
    @Test
    void startAfterALoss_isNoSecondAnswer() {
        assertAnswered(Answer.LOST, call -> call.lost(NodeId.of(2), "gone"), ReadyCall::started);
    }

    @Test
    void lossAfterARefusalOrAStart_isNoSecondAnswer() {
        assertAnswered(
                Answer.REFUSED,
                call -> call.refused("no"),
                call -> call.lost(NodeId.of(2), "gone"));
    }

    @Test
    void lossAfterTheStart_isNoSecondAnswer() {
        assertAnswered(Answer.DONE, ReadyCall::started, call -> call.lost(NodeId.of(2), "gone"));
    }
}
