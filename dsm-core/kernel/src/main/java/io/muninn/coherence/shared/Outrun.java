package io.muninn.coherence.shared;

import io.muninn.model.NodeId;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;

/**
 * Requests that a page has outrun: it came to their asker along with a lock.
 *
 * @param number of the asker's last request that it has outrun; it has outrun all before, too
 */
public record Outrun(NodeId asker, long number) {
    /** Layout: asker u8, number i64. */
    public void encode(WireWriter out) {
        out.node(asker);
        out.i64(number);
    }

    public static Outrun decode(WireReader in) {
        return new Outrun(in.node(), in.i64());
    }
}
