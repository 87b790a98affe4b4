package io.muninn.coherence.writeshared;

import io.muninn.coherence.writeshared.WriteSharedMessages.Offer;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageDiff;
import io.muninn.coherence.writeshared.WriteSharedMessages.Update;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateList;
import io.muninn.directory.Copyset;
import io.muninn.directory.DatedCopyset;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageMap;
import io.muninn.model.NodeId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.UpdateRules;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The updates that the steps of one node send to others for one interval, collected per node, so
 * that pages share a message. Diffs that fit one packet are sent directly; otherwise a list is
 * sent, from which the receiver requests the diffs that it needs. Diffs that the receiver will
 * certainly request are sent directly and never listed: those for the node to which this one has
 * given its copy up, and those of a page whose copies have all outlived its last two updates from
 * here.
 *
 * <p>Source: Munin §2.3, note 2.
 */
final class OutgoingUpdates {
    /** Number of consecutive updates requested by all nodes after which a page is not listed. */
    private static final int TIMES_WANTED = 2;

    /** The collected diffs for one node. */
    private static final class Parts {
        final List<PageDiff> diffs = new ArrayList<>();
        final BitSet doubtful = new BitSet(); // positions of diffs that the receiver may not need
        long bytes;
        long doubtfulBytes;

        /**
         * @param isWanted true if the receiver certainly needs it, or nearly so
         */
        void add(PageDiff diff, int length, boolean isWanted) {
            if (!isWanted) {
                doubtful.set(diffs.size());
                doubtfulBytes += length;
            }
            diffs.add(diff);
            bytes += length;
        }

        boolean isFull(MessageLimits limits) {
            return diffs.size() >= limits.pages() || bytes >= limits.diffBytes();
        }

        List<PageDiff> wanted() {
            return IntStream.range(0, diffs.size())
                    .filter(i -> !doubtful.get(i))
                    .mapToObj(diffs::get)
                    .toList();
        }

        List<Offer> offers() {
            return doubtful.stream().mapToObj(i -> diffs.get(i).offer()).toList();
        }
    }

    private final NodeId self;
    private final int packetBytes;
    private final MessageLimits limits;
    private final RaceChecks races;
    private final TreeMap<NodeId, Parts> parts = new TreeMap<>();
    private final PageMap<Flushes.PageUpdate> last = new PageMap<>();
    private long interval;

    /**
     * @param races is notified of every update before it is sent
     */
    OutgoingUpdates(Context context, RaceChecks races) {
        this.self = context.self();
        this.packetBytes = context.updates().packetBytes();
        this.limits = context.updates().limits();
        this.races = races;
    }

    /** The part of an update for one page. */
    static PageDiff diff(DirectoryEntry<?> entry, long interval) {
        return new PageDiff(
                new Offer(entry.page(), entry.copies(), entry.applied()),
                new Payload.SavedDiff(entry.page(), interval));
    }

    /**
     * Adds an update for all known copies that have not received it; {@link #send} sends it at the
     * latest. A node has at most one outstanding update of a page, because its acknowledgement
     * reports the state of the copy.
     *
     * <p>A node that has given its own copy up first sends the update to the node to which it did
     * so, and to others after that node's reply: many nodes may have given up their copies to it,
     * and it knows of them.
     */
    void tell(Flushes.PageUpdate update, DirectoryEntry<?> entry, Effects out) {
        NodeId owner = entry.probableOwner();
        boolean asksFirst =
                !entry.copyset().contains(self)
                        && update.told.equals(DatedCopyset.EMPTY)
                        && entry.copyset().contains(owner);
        boolean isWanted = asksFirst || timesWanted(update, entry) >= TIMES_WANTED;
        Copyset targets = asksFirst ? Copyset.of(owner) : entry.copyset().without(self);
        for (NodeId node : targets.minus(update.missing)) {
            int ended = entry.copies().ended(node);
            if (!update.told.knows(node, ended)) {
                update.told = update.told.with(node, ended);
                update.missing = update.missing.with(node);
                add(node, isWanted, update, entry, out);
            }
        }
    }

    /** Number of previous consecutive updates that all copies have outlived. */
    private int timesWanted(Flushes.PageUpdate update, DirectoryEntry<?> entry) {
        if (packetBytes == UpdateRules.ALL_DIRECT) {
            return 0;
        }
        Flushes.PageUpdate before = last.get(update.page);
        last.put(update.page, update);
        if (before != null && before != update && entry.copies().stillHas(before.told)) {
            update.timesWanted = before.timesWanted + 1;
        }
        return update.timesWanted;
    }

    private void add(
            NodeId to,
            boolean isWanted,
            Flushes.PageUpdate update,
            DirectoryEntry<?> entry,
            Effects out) {
        if (update.interval() != interval) {
            send(out);
            interval = update.interval();
        }
        Parts mine = parts.computeIfAbsent(to, _ -> new Parts());
        mine.add(diff(entry, update.interval()), update.bytes, isWanted);
        if (mine.isFull(limits)) {
            parts.remove(to);
            send(to, mine, out);
        }
    }

    /** Sends the collected updates. */
    void send(Effects out) {
        parts.forEach((to, mine) -> send(to, mine, out));
        parts.clear();
    }

    private void send(NodeId to, Parts mine, Effects out) {
        boolean isDirect = mine.doubtfulBytes <= packetBytes;
        List<PageDiff> diffs = isDirect ? mine.diffs : mine.wanted();
        if (!diffs.isEmpty()) {
            races.announce(to, interval, out);
            out.send(to, new Update(interval, diffs));
        }
        if (!isDirect) {
            out.count(NodeCounter.UPDATE_LISTS_SENT);
            out.send(to, new UpdateList(interval, mine.offers()));
        }
    }
}
