package io.muninn.transport.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.model.NodeId;
import io.muninn.transport.TestCluster;
import io.muninn.transport.join.Speaker;
import io.muninn.transport.stream.Control;
import org.junit.jupiter.api.Test;

class HostNodesTest {
    private final Address.Unix root = (Address.Unix) TestCluster.unixRoot();

    /** Accepted connections have the name of their listener, and are not counted. */
    @Test
    void nodesThatListen_areCounted() throws Exception {
        assertEquals(0, HostNodes.listening(root));
        try (Speaker zero = Speaker.listen(root);
                Speaker one = Speaker.listen(HostNodes.addressOf(NodeId.of(1), root));
                Speaker dialling = Speaker.dial(root);
                Speaker other = Speaker.listen(new Address.Unix(root.name() + "1"))) {
            dialling.say(new Control.Start());
            zero.hear();
            assertEquals(2, HostNodes.listening(root));

            one.vanish();
            assertEquals(1, HostNodes.listening(root));
            other.vanish();
        }
    }
}
