package io.muninn.coherence.migratory;

import io.muninn.model.NodeId;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;

/**
 * A request that a page has outrun: the page came to its asker along with a lock.
 *
 * @param number of the asker's request, and of all before it
 */
public record Outrun(NodeId asker, int number) {
    void encode(WireWriter out) {
        out.node(asker);
        out.u32(number);
    }

    static Outrun decode(WireReader in) {
        return new Outrun(in.node(), in.u32());
    }
}
