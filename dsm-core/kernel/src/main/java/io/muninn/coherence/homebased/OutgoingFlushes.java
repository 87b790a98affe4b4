package io.muninn.coherence.homebased;

import io.muninn.coherence.homebased.HomeBasedMessages.FlushedPage;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeFlush;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Effects;
import io.muninn.spi.MessageLimits;
import io.muninn.wire.Payload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The unsent and unacknowledged diffs of this node for the homes of their pages, in order; those of
 * one interval are sent together. A saved diff is dropped when it is sent. The number of
 * unacknowledged bytes per home is limited, so that a slow home does not accumulate them without a
 * bound; the rest is queued here. Only loads that need these versions wait for it.
 */
final class OutgoingFlushes {
    private record Part(PageId page, long interval, int bytes) {}

    private static final class Home {
        final ArrayDeque<Part> queue = new ArrayDeque<>();
        // bytes covered by each requested acknowledgement
        final ArrayDeque<Long> asked = new ArrayDeque<>();
        long unasked; // bytes sent since an acknowledgement was last requested
        long unacknowledged;
    }

    private final NodeId self;
    private final MessageLimits limits;
    private final TreeMap<NodeId, Home> homes = new TreeMap<>();

    OutgoingFlushes(NodeId self, MessageLimits limits) {
        this.self = self;
        this.limits = limits;
    }

    /**
     * Adds the diff of a page that was saved for an interval; {@link #send} sends it.
     *
     * @param bytes length of the diff; 0 if there is none
     */
    void add(NodeId home, PageId page, long interval, int bytes) {
        homes.computeIfAbsent(home, _ -> new Home()).queue.add(new Part(page, interval, bytes));
    }

    /** Sends to every home as much as its limit permits. */
    void send(Effects out) {
        homes.forEach((node, home) -> send(node, home, out));
    }

    /** Records the oldest outstanding acknowledgement of a home. */
    void acknowledged(NodeId node, Effects out) {
        Home home = homes.get(node);
        if (home == null || home.asked.isEmpty()) {
            throw new IllegalStateException("node " + node + " acknowledges no flush");
        }
        home.unacknowledged -= home.asked.remove();
        send(node, home, out);
    }

    private void send(NodeId node, Home home, Effects out) {
        while (!home.queue.isEmpty() && home.unacknowledged < limits.windowBytes()) {
            List<FlushedPage> pages = new ArrayList<>();
            long interval = home.queue.element().interval();
            int bytes = 0;
            while (!home.queue.isEmpty()
                    && home.queue.element().interval() == interval
                    && pages.size() < limits.pages()
                    && bytes < limits.diffBytes()) {
                Part part = home.queue.remove();
                bytes += part.bytes();
                pages.add(new FlushedPage(part.page(), payload(part)));
            }
            home.unacknowledged += bytes;
            home.unasked += bytes;
            boolean acknowledge = home.unasked >= limits.acknowledgedBytes();
            if (acknowledge) {
                home.asked.add(home.unasked);
                home.unasked = 0;
            }
            out.send(node, new HomeFlush(self, interval, acknowledge, pages));
            for (FlushedPage page : pages) {
                if (page.diff() instanceof Payload.SavedDiff) {
                    out.dropDiff(page.page(), interval);
                }
            }
        }
    }

    private static Payload payload(Part part) {
        return part.bytes() == 0
                ? Payload.NONE
                : new Payload.SavedDiff(part.page(), part.interval());
    }
}
