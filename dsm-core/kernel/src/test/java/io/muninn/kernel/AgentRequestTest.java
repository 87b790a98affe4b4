package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

class AgentRequestTest {
    private record Call(int thread) {}

    @Test
    void equalCalls_areSeveralRequests() {
        Call first = new Call(1);
        Call second = new Call(1);

        assertEquals(AgentRequest.ofCall(first), AgentRequest.ofCall(first));
        assertNotEquals(AgentRequest.ofCall(first).key(), AgentRequest.ofCall(second).key());
        assertEquals("call Call[thread=1]", AgentRequest.ofCall(second).text());
    }
}
