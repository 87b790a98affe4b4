package io.muninn.coherence.shared;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Context;
import io.muninn.spi.LogicalClock;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import io.muninn.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The write notices that a node holds for one protocol: the pages that each node has stored to in
 * each of its intervals. They arrive with cargo, before the acquires that process them, and are
 * relayed to nodes that lack them.
 *
 * <p><b>Shape.</b> An interval without a page of the protocol has no notice. Cargo, until its end:
 *
 * <pre>
 * per writer     node, intervals varint, each:
 *   interval     number varint; timestamp, if the protocol uses it: a varint for each node but the
 *                writer; in the first interval each number itself, then its difference from the
 *                one before; runs varint, each:
 *     run        region varint, first page varint, pages varint
 * </pre>
 *
 * In a cluster of more nodes than a live one has, an interval is its timestamp, which says how it
 * differs from the one before in the cargo, also of another writer ({@link
 * VectorTimestamp#encodeBehind}). Those of one round of a barrier differ in two nodes, so cargo
 * grows with the number of notices and not with its product with that of nodes.
 *
 * <p><b>Order.</b> Notices of a writer are in order of interval, pages of a notice in order of
 * region and index.
 *
 * <p><b>Bound.</b> Notices are kept for other nodes, and for acquires of this one, until a
 * collection covers them.
 *
 * <p>Source: the bins of Bilas, Iftode, Samanta, Singh, "Supporting a coherent shared address space
 * across SMP nodes", section 3.2.1; Keleher, Cox, Dwarkadas, Zwaenepoel, TreadMarks, section 2.2.
 */
public final class WriteNotices {
    /**
     * The pages that a node has stored to in one of its intervals.
     *
     * @param timestamp of the interval; zero but for the writer's own, if notices have none
     */
    public record Notice(
            NodeId writer, long interval, VectorTimestamp timestamp, List<PageId> pages) {
        public Notice {
            pages = PageRuns.of(pages);
        }

        /** Approximate size on the heap. */
        long bytes() {
            return NOTICE_BYTES + (long) PAGE_BYTES * pages.size();
        }
    }

    /** Whether notices state what happened before their intervals. */
    public enum Order {
        /** Notices state nothing about other intervals. */
        NONE,
        /** Each notice has the timestamp of its interval. */
        TIMESTAMPS
    }

    private static final int NOTICE_BYTES = 128;
    private static final int PAGE_BYTES = 32;

    private final Context context;
    private final NodeId self;
    private final LogicalClock clock;
    private final List<@Nullable NavigableMap<Long, Notice>> byWriter; // null before the first
    private final Map<NodeId, VectorTimestamp> known = new TreeMap<>(); // notices that others have
    private final VectorTimestamp none;
    private final boolean hasTimestamps;
    private final boolean areDifferences; // timestamps in cargo
    private VectorTimestamp lastKept; // timestamps of notices share its array
    private long bytes;

    /** Notices without an order. */
    public WriteNotices(Context context) {
        this(context, Order.NONE);
    }

    public WriteNotices(Context context, Order order) {
        this.context = context;
        this.hasTimestamps = order == Order.TIMESTAMPS;
        this.self = context.self();
        this.clock = context.clock();
        this.none = VectorTimestamp.zero(context.nodes());
        this.areDifferences = hasTimestamps && context.nodes() > NodeId.LIVE_MAX;
        this.lastKept = none;
        this.byWriter = new ArrayList<>(Collections.nCopies(context.nodes(), null));
    }

    /**
     * Ends the current interval of this node.
     *
     * @param pages that it has stored to, in order; at least one
     */
    public void add(List<PageId> pages) {
        VectorTimestamp before = hasTimestamps ? clock.timestamp() : none;
        keep(notice(self, clock.interval(), before.like(lastKept), pages));
    }

    private static Notice notice(
            NodeId writer, long interval, VectorTimestamp before, List<PageId> pages) {
        return new Notice(writer, interval, before.with(writer, interval), pages);
    }

    /**
     * The notice of an interval of a node.
     *
     * @throws IllegalStateException if this node does not have it
     */
    public Notice of(NodeId writer, long interval) {
        Notice notice = ofWriter(writer).get(interval);
        if (notice == null) {
            throw new IllegalStateException(
                    "no notice of interval " + interval + " of node " + writer);
        }
        return notice;
    }

    /** Returns false if it is present already. */
    private boolean keep(Notice notice) {
        NavigableMap<Long, Notice> ofWriter = byWriter.get(notice.writer().index());
        if (ofWriter == null) {
            ofWriter = new TreeMap<>();
            byWriter.set(notice.writer().index(), ofWriter);
        }
        boolean isNew = ofWriter.putIfAbsent(notice.interval(), notice) == null;
        bytes += isNew ? notice.bytes() : 0;
        lastKept = notice.timestamp();
        return isNew;
    }

    /** Bytes that {@link #drop} frees once it covers all notices. */
    public long bytes() {
        return bytes;
    }

    /**
     * Drops the notices that a collection covers: every node holds them, and has processed them. A
     * copy that arrives later changes nothing, and is dropped by the next collection.
     */
    public void drop(VectorTimestamp upTo) {
        for (int i = 0; i < byWriter.size(); i++) {
            NodeId writer = NodeId.of(i);
            NavigableMap<Long, Notice> covered = ofWriter(writer).headMap(upTo.of(writer), true);
            if (!covered.isEmpty()) {
                covered.values().forEach(notice -> bytes -= notice.bytes());
                covered.clear();
            }
        }
    }

    /** The notices of other nodes that the second timestamp covers and the first does not. */
    public List<Notice> between(VectorTimestamp from, VectorTimestamp upTo) {
        List<Notice> found = new ArrayList<>();
        for (int i = 0; i < byWriter.size(); i++) {
            NodeId writer = NodeId.of(i);
            if (!writer.equals(self)) {
                found.addAll(range(writer, from, upTo));
            }
        }
        return found;
    }

    /** As {@link #between}, of all nodes including this one. */
    public List<Notice> ofAllBetween(VectorTimestamp from, VectorTimestamp upTo) {
        List<Notice> found = new ArrayList<>();
        for (int i = 0; i < byWriter.size(); i++) {
            found.addAll(range(NodeId.of(i), from, upTo));
        }
        return found;
    }

    private List<Notice> range(NodeId writer, VectorTimestamp from, VectorTimestamp upTo) {
        if (byWriter.get(writer.index()) == null) {
            return List.of();
        }
        long after = from.of(writer);
        long last = upTo.of(writer);
        return last <= after
                ? List.of()
                : List.copyOf(ofWriter(writer).subMap(after, false, last, true).values());
    }

    private NavigableMap<Long, Notice> ofWriter(NodeId writer) {
        NavigableMap<Long, Notice> notices = byWriter.get(writer.index());
        return notices == null ? Collections.emptyNavigableMap() : notices;
    }

    /** The cargo of a request: the intervals whose notices this node has. */
    public Bytes request() {
        ByteWriter out = new ByteWriter();
        clock.have().encode(out);
        return new Bytes(out.toArray());
    }

    /**
     * The cargo of a grant: the notices that this node has seen and the requester lacks.
     *
     * @param request of the requester, perhaps older than its present knowledge
     */
    public Bytes forGrant(NodeId to, Bytes request) {
        VectorTimestamp has = VectorTimestamp.decode(new ByteReader(request.array()));
        return lacking(to, known(to).join(has), clock.seen());
    }

    /** The cargo of other messages: the notices that the receiver is not known to have. */
    public Bytes forMessage(NodeId to) {
        return lacking(to, known(to), clock.have());
    }

    private VectorTimestamp known(NodeId node) {
        return known.getOrDefault(node, none);
    }

    private Bytes lacking(NodeId to, VectorTimestamp from, VectorTimestamp upTo) {
        known.put(to, from.join(upTo)); // once what is written here has arrived
        ByteWriter out = new ByteWriter();
        boolean isEmpty = true;
        VectorTimestamp before = none;
        for (int i = 0; i < byWriter.size(); i++) {
            NodeId writer = NodeId.of(i);
            List<Notice> notices = writer.equals(to) ? List.of() : range(writer, from, upTo);
            if (!notices.isEmpty()) {
                isEmpty = false;
                before = write(writer, notices, areDifferences ? before : none, out);
            }
        }
        return isEmpty ? Bytes.EMPTY : new Bytes(out.toArray());
    }

    /** Returns the timestamp that was written last. */
    private VectorTimestamp write(
            NodeId writer, List<Notice> notices, VectorTimestamp first, ByteWriter out) {
        out.node(writer);
        out.varint(notices.size());
        VectorTimestamp before = first;
        for (Notice notice : notices) {
            if (areDifferences) {
                notice.timestamp().encodeBehind(before, out);
            } else {
                out.varint(notice.interval() - before.of(writer));
                writeTimestamp(notice, before, out);
            }
            before = notice.timestamp();
            writeRuns(notice.pages(), out);
        }
        return before;
    }

    private void writeTimestamp(Notice notice, VectorTimestamp before, ByteWriter out) {
        for (int i = 0; hasTimestamps && i < context.nodes(); i++) {
            NodeId node = NodeId.of(i);
            if (!node.equals(notice.writer())) {
                out.varint(notice.timestamp().of(node) - before.of(node));
            }
        }
    }

    private static void writeRuns(List<PageId> pages, ByteWriter out) {
        int runs = 0;
        for (int i = 0; i < pages.size(); i++) {
            runs += beginsRun(pages, i) ? 1 : 0;
        }
        out.varint(runs);
        int end = 0;
        for (int begin = 0; begin < pages.size(); begin = end) {
            end = begin + 1;
            while (end < pages.size() && !beginsRun(pages, end)) {
                end++;
            }
            PageId first = pages.get(begin);
            out.varint(first.region());
            out.varint(first.index());
            out.varint(end - begin);
        }
    }

    private static boolean beginsRun(List<PageId> pages, int index) {
        return index == 0 || !pages.get(index - 1).isBefore(pages.get(index), 1);
    }

    /**
     * Keeps the notices that have arrived.
     *
     * @return those that were new
     * @throws MalformedMessageException if the bytes are no notices
     */
    public List<Notice> deposit(NodeId from, Bytes cargo) {
        List<Notice> news = new ArrayList<>();
        ByteReader in = new ByteReader(cargo.array());
        VectorTimestamp has = known(from);
        VectorTimestamp last = none;
        while (in.remaining() > 0) {
            NodeId writer = in.node();
            if (writer.index() >= byWriter.size()) {
                throw new MalformedMessageException("a write notice of node " + writer);
            }
            long count = in.varint(in.remaining());
            VectorTimestamp timestamp = areDifferences ? last : none;
            for (long i = 0; i < count; i++) {
                timestamp = readTimestamp(writer, timestamp, in).like(lastKept);
                Notice read = new Notice(writer, timestamp.of(writer), timestamp, readRuns(in));
                if (keep(read)) {
                    news.add(read);
                }
            }
            last = timestamp;
            if (!has.covers(writer, timestamp.of(writer))) {
                has = has.with(writer, timestamp.of(writer));
            }
        }
        known.put(from, has);
        return news;
    }

    private VectorTimestamp readTimestamp(NodeId writer, VectorTimestamp before, ByteReader in) {
        if (areDifferences) {
            return VectorTimestamp.decodeBehind(before, in);
        }
        VectorTimestamp read = before.with(writer, readMore(before.of(writer), in));
        for (int i = 0; hasTimestamps && i < context.nodes(); i++) {
            NodeId node = NodeId.of(i);
            if (!node.equals(writer)) {
                read = read.with(node, readMore(before.of(node), in));
            }
        }
        return read;
    }

    private static long readMore(long before, ByteReader in) {
        return before + in.varint(Long.MAX_VALUE - before);
    }

    private List<PageId> readRuns(ByteReader in) {
        List<PageId> pages = new ArrayList<>();
        long runs = in.varint(in.remaining());
        for (long run = 0; run < runs; run++) {
            int region = (int) in.varint(Character.MAX_VALUE);
            PageId first = new PageId(region, (int) in.varint(Integer.MAX_VALUE));
            int most = context.region(first).pages() - first.index();
            int count = (int) in.varint(Math.max(0, most));
            for (int i = 0; i < count; i++) {
                pages.add(first.plus(i));
            }
        }
        return pages;
    }
}
