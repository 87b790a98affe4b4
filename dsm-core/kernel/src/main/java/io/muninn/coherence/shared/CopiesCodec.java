package io.muninn.coherence.shared;

import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.Copyset;
import io.muninn.directory.DatedCopyset;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The layout of page metadata in messages, for a sequence of pages: the holders of copies, and the
 * diffs that they contain. Most pages of a message are equal in both, and share the decoded
 * objects.
 *
 * <pre>
 * copies    nodes i64, then count u8 of those that have given up copies, each: node u8,
 *           copies varint
 * applied   count u8, each: node u8, interval varint
 * </pre>
 */
public final class CopiesCodec {
    private DatedCopyset copies = DatedCopyset.EMPTY;
    private AppliedDiffs applied = AppliedDiffs.EMPTY;

    public static void write(DatedCopyset copies, WireWriter out) {
        out.i64(copies.nodes().bits());
        out.u8(copies.ended().size());
        for (DatedCopyset.Ended each : copies.ended()) {
            out.node(each.node());
            out.varint(each.copies());
        }
    }

    public static void write(AppliedDiffs applied, WireWriter out) {
        out.u8(applied.last().size());
        for (AppliedDiffs.Last each : applied.last()) {
            out.node(each.node());
            out.varint(each.interval());
        }
    }

    public DatedCopyset copies(WireReader in) {
        long nodes = in.nodeBits();
        int count = in.u8();
        if (count > 0) {
            List<DatedCopyset.Ended> ended = new ArrayList<>(Math.min(count, in.remaining()));
            for (int i = 0; i < count; i++) {
                ended.add(new DatedCopyset.Ended(in.node(), (int) in.varint(Integer.MAX_VALUE)));
            }
            copies = new DatedCopyset(new Copyset(nodes), ended);
        } else if (copies.nodes().bits() != nodes || !copies.ended().isEmpty()) {
            copies = DatedCopyset.of(new Copyset(nodes));
        }
        return copies;
    }

    public AppliedDiffs applied(WireReader in) {
        int count = in.u8();
        List<AppliedDiffs.Last> before = applied.last();
        List<AppliedDiffs.Last> other = null; // while all are as before
        for (int i = 0; i < count; i++) {
            var last = new AppliedDiffs.Last(in.node(), in.varint(Long.MAX_VALUE));
            if (other == null && (i == before.size() || !before.get(i).equals(last))) {
                other = new ArrayList<>(before.subList(0, i));
            }
            if (other != null) {
                other.add(last);
            }
        }
        if (other != null) {
            applied = new AppliedDiffs(other);
        } else if (count < before.size()) {
            applied = new AppliedDiffs(before.subList(0, count));
        }
        return applied;
    }
}
