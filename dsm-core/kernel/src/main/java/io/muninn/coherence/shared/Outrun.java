package io.muninn.coherence.shared;

import io.muninn.model.NodeId;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;

/**
 * Requests that a page has overtaken, because it was sent to the requester together with a lock.
 *
 * @param number of the requester's last request that it has overtaken; it has overtaken all earlier
 *     ones, too
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
