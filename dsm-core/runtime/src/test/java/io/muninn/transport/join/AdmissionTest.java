package io.muninn.transport.join;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.model.NodeId;
import io.muninn.transport.TestNode;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.Control;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private static final Address TCP_ROOT = new Address.Tcp("127.0.0.1", 0);

    @Test
    void loopbackListener_isRefusedToANodeOfAnotherMachine() {
        Admission admission =
                new Admission(
                        ClusterConfig.builder(NodeId.ROOT, 3, TCP_ROOT, TestNode.SECRET).build());
        Control.Join join = new Control.Join(1, 3, 0, 5_000, 0, "", "127.0.0.1:99", "");

        assertEquals(Optional.empty(), admission.unreachable(join, true, Optional.empty()));
        assertEquals(
                "node 1 listens on 127.0.0.1:99, where other machines cannot reach it",
                admission.unreachable(join, false, Optional.empty()).orElseThrow());
    }

    @Test
    void joinOfAnIdOutOfRange_isRefusedNamingTheRange() {
        Admission admission =
                new Admission(
                        ClusterConfig.builder(NodeId.ROOT, 3, TCP_ROOT, TestNode.SECRET).build());

        for (int id : List.of(0, 3, 255)) {
            assertEquals(
                    "node " + id + " is outside 1..2",
                    admission
                            .mismatch(new Control.Join(id, 3, 0, 5_000, 0, "", "a:1", ""))
                            .orElseThrow());
        }
    }
}
