package io.muninn.launch.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentCountTest {
    @Test
    void host_isOneForAllNodesAndNodeOneForEach() {
        AgentCount host = AgentCount.parse("host");
        AgentCount node = AgentCount.parse("node");

        assertEquals(1, host.count(64));
        assertEquals(64, host.servedMost(64));
        assertEquals(64, node.count(64));
        assertEquals(1, node.servedMost(64));
    }

    @Test
    void number_isOfAgentsAndNoneIsWithoutANode() {
        AgentCount three = AgentCount.parse("3");

        assertEquals(3, three.count(8));
        assertEquals(3, three.servedMost(8));
        assertEquals(2, three.count(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "hosts", "", "1.5"})
    void otherWords_areRefusedByName(String word) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> AgentCount.parse(word));

        assertEquals(
                "'" + word + "' is not host, node, or a number of agents", refused.getMessage());
    }
}
