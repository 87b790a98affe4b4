package io.muninn.agent.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.kernel.AgentRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Requests that are outstanding while other nodes send heartbeats, messages, or both. */
class UnansweredRequestsTest {
    private static final AgentRequest PAGE = new AgentRequest("page", "request for page 0/7");
    private static final AgentRequest CALL = new AgentRequest("call", "call x");

    private final UnansweredRequests requests = new UnansweredRequests(Duration.ofSeconds(2));

    /** Looks at it as often as it is not overdue. */
    private void assertQuiet(int looks, long received, AgentRequest... oldest) {
        for (int i = 0; i < looks; i++) {
            assertEquals(Optional.empty(), requests.look(List.of(oldest), received));
        }
    }

    @Test
    void requestWithoutAnAnswer_isOverdueAfterThreeLimitsWithoutMessages() {
        assertQuiet(UnansweredRequests.LOOKS + 1, 4, CALL, PAGE);

        Optional<String> overdue = requests.look(List.of(PAGE), 4);

        assertEquals(
                Optional.of(
                        "no answer for 6000 ms to its request for page 0/7, while other nodes send"
                                + " heartbeats and nothing else: a message was lost or forged on its"
                                + " way"),
                overdue);
    }

    @Test
    void eachMessage_startsTheTimeAgain() {
        for (long received = 0; received < 5; received++) {
            assertQuiet(UnansweredRequests.LOOKS + 1, received, PAGE);
        }
    }

    @Test
    void requestsThatAreAnswered_areNotOverdue() {
        List<AgentRequest> each = new ArrayList<>();
        for (int i = 0; i < 4 * UnansweredRequests.LOOKS; i++) {
            each.add(new AgentRequest(i, "request " + i));
        }
        each.forEach(request -> assertQuiet(1, 0, request));
        assertQuiet(4 * UnansweredRequests.LOOKS, 0);
    }
}
