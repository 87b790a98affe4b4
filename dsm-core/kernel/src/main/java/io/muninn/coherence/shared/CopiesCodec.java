package io.muninn.coherence.shared;

import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.Copyset;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.NodeId;
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
 * nodes     i64, one for each 64 nodes of the cluster
 * copies    nodes, then count varint of those that have given up copies, each: node, copies varint
 * applied   count varint, each: node, interval varint
 * </pre>
 */
public final class CopiesCodec {
    private DatedCopyset copies = DatedCopyset.EMPTY;
    private AppliedDiffs applied = AppliedDiffs.EMPTY;

    public static void write(Copyset nodes, WireWriter out) {
        int words = out.setWords();
        if (nodes.words() > words) {
            throw new IllegalArgumentException("nodes " + nodes + " in " + words + " words");
        }
        for (int i = 0; i < words; i++) {
            out.i64(nodes.word(i));
        }
    }

    public static Copyset nodes(WireReader in) {
        return nodes(Copyset.EMPTY, in);
    }

    /**
     * @param same the set that is returned if it is equal
     */
    private static Copyset nodes(Copyset same, WireReader in) {
        if (in.setWords() == 1) {
            long bits = in.nodeBits(0);
            return same.words() == 1 && same.word(0) == bits ? same : Copyset.ofWords(bits);
        }
        long[] words = new long[in.setWords()];
        for (int i = 0; i < words.length; i++) {
            words[i] = in.nodeBits(i);
        }
        Copyset read = Copyset.ofWords(words);
        return read.equals(same) ? same : read;
    }

    public static void write(DatedCopyset copies, WireWriter out) {
        write(copies.nodes(), out);
        out.varint(copies.ended().size());
        for (DatedCopyset.Ended each : copies.ended()) {
            out.node(each.node());
            out.varint(each.copies());
        }
    }

    public static void write(AppliedDiffs applied, WireWriter out) {
        out.varint(applied.last().size());
        for (AppliedDiffs.Last each : applied.last()) {
            out.node(each.node());
            out.varint(each.interval());
        }
    }

    public DatedCopyset copies(WireReader in) {
        Copyset nodes = nodes(copies.nodes(), in);
        int count = (int) in.varint(NodeId.NODES_MAX);
        if (count > 0) {
            List<DatedCopyset.Ended> ended = new ArrayList<>(Math.min(count, in.remaining()));
            for (int i = 0; i < count; i++) {
                ended.add(new DatedCopyset.Ended(in.node(), (int) in.varint(Integer.MAX_VALUE)));
            }
            copies = new DatedCopyset(nodes, ended);
        } else if (copies.nodes() != nodes || !copies.ended().isEmpty()) {
            copies = DatedCopyset.of(nodes);
        }
        return copies;
    }

    public AppliedDiffs applied(WireReader in) {
        int count = (int) in.varint(NodeId.NODES_MAX);
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
