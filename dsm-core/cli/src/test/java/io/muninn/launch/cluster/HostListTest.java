package io.muninn.launch.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.agent.lifecycle.ServedNodes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a list may look like; what it may not is in the test of the command line. */
class HostListTest {
    @Test
    void nodesAreNumberedByHosts() {
        HostList hosts = HostList.parse("a,me@b:2,[fd00::2]:3,10.0.0.7");

        assertEquals(
                List.of(
                        new HostList.Host("a", 1),
                        new HostList.Host("me@b", 2),
                        new HostList.Host("fd00::2", 3),
                        new HostList.Host("10.0.0.7", 1)),
                hosts.hosts());
        assertEquals(
                List.of(
                        ServedNodes.of(0),
                        new ServedNodes(1, 2),
                        new ServedNodes(3, 5),
                        ServedNodes.of(6)),
                hosts.shares());
        assertEquals(7, hosts.nodes());
        assertEquals(3, hosts.nodesMost());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a:2,b", "me@a,[fd00::2]:3", "node-1.example.org"})
    void listIsPrintedAsItIsRead(String list) {
        assertEquals(list, HostList.parse(list).toString());
    }
}
