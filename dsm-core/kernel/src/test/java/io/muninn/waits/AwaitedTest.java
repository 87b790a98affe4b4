package io.muninn.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.ObjectId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.WaiterId;
import java.util.List;
import org.junit.jupiter.api.Test;

class AwaitedTest {
    private static final WaiterId WAITER = new WaiterId(MappingId.FIRST, 0);

    /** A call that is accepted when others have taken their completions waits for the program. */
    @Test
    void postedCalls_areNotAnsweredByAgentsAlone() {
        List<Event.Waiting> posted =
                List.of(
                        new Event.RemotePosted(WAITER, 1, NodeId.of(1), Bytes.EMPTY),
                        new Event.PostCalled(
                                WAITER, 1, new ObjectId("bag"), NodeId.of(1), 0, Bytes.EMPTY));
        List<Event.Waiting> answered =
                List.of(
                        new Event.RemoteCalled(WAITER, NodeId.of(1), Bytes.EMPTY),
                        new Event.FenceCalled(WAITER));

        assertEquals(List.of(false, false), areAnsweredByAgents(posted));
        assertEquals(List.of(true, true), areAnsweredByAgents(answered));
        posted.forEach(each -> assertFalse(Awaited.of(each).needsOthers()));
        answered.forEach(each -> assertFalse(Awaited.of(each).needsOthers()));
    }

    private static List<Boolean> areAnsweredByAgents(List<Event.Waiting> calls) {
        return calls.stream().map(each -> Awaited.of(each).isAnsweredByAgents()).toList();
    }
}
