package io.muninn.coherence.lazy;

import io.muninn.coherence.lazy.LazyMessages.CopyReply;
import io.muninn.coherence.lazy.LazyMessages.DiffName;
import io.muninn.coherence.lazy.LazyMessages.GivenDiffs;
import io.muninn.coherence.lazy.LazyMessages.NamedDiff;
import io.muninn.coherence.lazy.LazyMessages.WantedDiffs;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.PageMap;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The diffs that this node has: of its own stores, and those received from other nodes. They are
 * kept for nodes that request them. A request for an own diff that is not made yet waits for it.
 *
 * <p>A diff may cover several own intervals: all in which the page was listed since its twin was
 * made. It has the name of the first, and the diffs of the others are empty. This is correct
 * because no other node has had any of these stores before, so no other node can have stored to the
 * page after one of them and before another.
 *
 * <p>An image of the copy may be sent in place of diffs. A node that received one does not have
 * these diffs, so it also replies with an image.
 */
final class HeldDiffs {
    /**
     * One diff.
     *
     * @param diff {@link Payload#NONE} if it is empty
     */
    private record Held(Payload diff, int bytes) {}

    private record Deferred(NodeId asker, WantedDiffs request) {}

    private static final class OfPage {
        final TreeMap<DiffName, Held> diffs = new TreeMap<>();
        final List<Long> unmade = new ArrayList<>(); // own intervals without a diff
        final List<Long> making = new ArrayList<>(); // own intervals of the diff that is being made
        final List<Deferred> deferred = new ArrayList<>(); // oldest first
        AppliedDiffs base = AppliedDiffs.EMPTY; // see imageInstalled
    }

    /** Approximate heap size of a diff besides its bytes. */
    private static final int DIFF_BYTES = 128;

    private final NodeId self;
    private final Context context;
    private final Outgoing outgoing;
    private final PageMap<OfPage> pages = new PageMap<>();
    private final Set<PageId> named = new TreeSet<>(); // pages with diffs that may be dropped
    private long bytes;
    private int making; // pages of which a diff is being made
    private long keeps; // numbers the diffs of others

    HeldDiffs(Context context, Outgoing outgoing) {
        this.context = context;
        this.outgoing = outgoing;
        this.self = context.self();
    }

    /**
     * Creates the image that replies to a request, together with some of the diffs in it; null if
     * no image is permitted.
     */
    interface Copies {
        @Nullable CopyReply copyFor(WantedDiffs request, List<NamedDiff> diffs);
    }

    /**
     * Records that the content of a page arrived as an image: diffs that it contains may be absent
     * here.
     */
    void imageInstalled(PageId page, AppliedDiffs contained) {
        of(page).base = contained;
    }

    /** The diffs that a copy contains, and that are absent here. */
    AppliedDiffs base(PageId page) {
        return of(page).base;
    }

    /** The diffs of a page that are here. */
    List<DiffName> names(PageId page) {
        return List.copyOf(of(page).diffs.keySet());
    }

    /** A page is listed in an interval of this node. */
    void listed(PageId page, long interval) {
        of(page).unmade.add(interval);
        named.add(page);
    }

    /**
     * Makes the diff of all listed intervals: {@link Effects#saveDiff}.
     *
     * @return the last of these intervals
     */
    long make(PageId page, boolean keepTwin, Effects out) {
        OfPage of = of(page);
        making += of.making.isEmpty() ? 1 : 0;
        of.making.addAll(of.unmade);
        of.unmade.clear();
        out.saveDiff(page, of.making.getFirst(), keepTwin);
        return of.making.getLast();
    }

    /**
     * Records a diff that was made, and replies to the requests that waited for it.
     *
     * @param bytes its length; 0 if page and twin are equal
     */
    void made(PageId page, long interval, int bytes, Copies copies, Effects out) {
        OfPage of = of(page);
        Payload diff = bytes == 0 ? Payload.NONE : new Payload.SavedDiff(page, interval);
        for (long each : of.making) {
            put(
                    page,
                    new DiffName(self, each),
                    each == interval ? new Held(diff, bytes) : new Held(Payload.NONE, 0));
        }
        of.making.clear();
        making--;
        of.deferred.removeIf(waiting -> {
            boolean isAnswered = hasOwn(waiting.request(), of);
            if (isAnswered) {
                answer(waiting.asker(), waiting.request(), copies, out);
            }
            return isAnswered;
        });
    }

    /** True if diffs are being made. */
    boolean isMaking() {
        return making > 0;
    }

    /** Keeps a diff that has arrived, unless it is present because it was pushed. */
    void keep(PageId page, NamedDiff arrived, Effects out) {
        if (has(page, arrived.name())) {
            return;
        }
        Held held = new Held(Payload.NONE, 0);
        if (arrived.diff() instanceof Payload.Received(var bytes, boolean _)) {
            keeps++;
            out.keepDiff(page, keeps, arrived.diff());
            held = new Held(new Payload.LastingDiff(page, keeps), (int) bytes.byteSize());
        }
        put(page, arrived.name(), held);
    }

    private void put(PageId page, DiffName name, Held held) {
        of(page).diffs.put(name, held);
        named.add(page);
        bytes += DIFF_BYTES + held.bytes();
    }

    /** Bytes that {@link #drop} frees once it covers all diffs. */
    long bytes() {
        return bytes;
    }

    /**
     * Drops the diffs that a collection covers: every copy has them, or will be created from one
     * that has.
     */
    void drop(VectorTimestamp upTo, Effects out) {
        named.removeIf(page -> {
            OfPage of = of(page);
            of.diffs
                    .entrySet()
                    .removeIf(each -> {
                        DiffName name = each.getKey();
                        boolean isCovered = upTo.covers(name.writer(), name.interval());
                        if (isCovered) {
                            bytes -= DIFF_BYTES + each.getValue().bytes();
                            of.base = of.base.with(name.writer(), name.interval());
                            drop(page, each.getValue().diff(), out);
                        }
                        return isCovered;
                    });
            while (of.unmade.size() > 1 && upTo.covers(self, of.unmade.getFirst())) {
                of.unmade.removeFirst(); // no node requests it by this name
            }
            return of.diffs.isEmpty() && of.unmade.size() <= 1;
        });
    }

    /** Drops a diff of another node that no copy here contains. */
    void forget(PageId page, DiffName name, Effects out) {
        Held held = of(page).diffs.remove(name);
        if (held != null) {
            bytes -= DIFF_BYTES + held.bytes();
            drop(page, held.diff(), out);
        }
    }

    boolean has(PageId page, DiffName name) {
        OfPage of = pages.get(page);
        return of != null && of.diffs.containsKey(name);
    }

    /** Approximate heap size of a diff; 0 if it is absent. */
    int bytes(PageId page, DiffName name) {
        Held held = of(page).diffs.get(name);
        return held == null ? 0 : DIFF_BYTES + held.bytes();
    }

    /** Approximate heap size that a diff which has arrived would have. */
    static int bytes(NamedDiff arrived) {
        return arrived.diff() instanceof Payload.Received(var bytes, boolean _)
                ? DIFF_BYTES + (int) bytes.byteSize()
                : DIFF_BYTES;
    }

    /** The diffs of this node's later intervals that are made, oldest first. */
    List<NamedDiff> ownAfter(PageId page, long interval) {
        List<NamedDiff> own = new ArrayList<>();
        of(page).diffs
                .subMap(
                        new DiffName(self, interval),
                        false,
                        new DiffName(self, Long.MAX_VALUE),
                        true)
                .forEach((name, held) -> own.add(new NamedDiff(name, held.diff())));
        return own;
    }

    private static void drop(PageId page, Payload diff, Effects out) {
        switch (diff) {
            case Payload.SavedDiff(_, long interval) -> out.dropDiff(page, interval);
            case Payload.LastingDiff(_, long keep) -> out.dropKept(page, keep);
            default -> {} // it is empty
        }
    }

    /** The content of a present diff; {@link Payload#NONE} if it is empty. */
    Payload diff(PageId page, DiffName name) {
        OfPage of = pages.get(page);
        Held held = of == null ? null : of.diffs.get(name);
        if (held == null) {
            throw new IllegalStateException("no diff " + name + " of page " + page);
        }
        return held.diff();
    }

    private OfPage of(PageId page) {
        OfPage of = pages.get(page);
        if (of == null) {
            of = new OfPage();
            pages.put(page, of);
        }
        return of;
    }

    /**
     * Replies to a request, at once or when the diff that it names is made.
     *
     * @return false if it waits for the diff
     */
    boolean onDiffRequest(NodeId asker, WantedDiffs request, Copies copies, Effects out) {
        OfPage of = of(request.page());
        if (hasOwn(request, of)) {
            answer(asker, request, copies, out);
            return true;
        }
        of.deferred.add(new Deferred(asker, request));
        return false;
    }

    /** True if a page has been listed since its last diff. */
    boolean hasUnmade(PageId page) {
        return !of(page).unmade.isEmpty();
    }

    /** True if a request names a diff that is not made yet. */
    boolean asksForUnmade(WantedDiffs request) {
        for (long each : of(request.page()).unmade) {
            if (request.diffs().contains(new DiffName(self, each))) {
                return true;
            }
        }
        return false;
    }

    /**
     * True if a request names a diff of this node's own stores, as each must: such diffs are
     * present, or will be, so that there is a reply.
     */
    boolean isAskedForOwn(WantedDiffs request) {
        return request.diffs().stream().anyMatch(name -> name.writer().equals(self));
    }

    private boolean hasOwn(WantedDiffs request, OfPage of) {
        for (DiffName name : request.diffs()) {
            if (name.writer().equals(self) && !of.diffs.containsKey(name)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Replies with an image, if the requester accepts one and it is shorter, or if a diff is
     * absent. If the diffs together might be shorter, the present ones are sent too: the requester
     * can reply to later requests with them.
     */
    private void answer(NodeId asker, WantedDiffs request, Copies copies, Effects out) {
        OfPage of = of(request.page());
        List<NamedDiff> diffs = diffsFor(request, of);
        long sum = 0;
        for (NamedDiff each : diffs) {
            Held held = present(of, each.name());
            sum += held == null ? 0 : held.bytes();
        }
        int here = diffs.size(); // at least one, see isAskedForOwn
        // assumes that the others are as long as these
        long all = sum * request.diffs().size() / here;
        boolean isLong = all > context.region(request.page()).pageBytes();
        if (isLong || diffs.size() < request.diffs().size()) {
            CopyReply copy = copies.copyFor(request, isLong ? List.of() : diffs);
            if (copy != null) {
                out.count(NodeCounter.PAGES_SENT);
                out.send(asker, copy);
                return;
            }
        }
        outgoing.giveDiffs(asker, new GivenDiffs(request.page(), diffs), sum, out);
    }

    /**
     * Own diffs first: they are always present, so a reply always contains a diff that the receiver
     * lacks.
     */
    private List<NamedDiff> diffsFor(WantedDiffs request, OfPage of) {
        List<NamedDiff> diffs = new ArrayList<>();
        int most = context.updates().limits().diffBytes();
        int sum = 0;
        for (boolean own : new boolean[] {true, false}) {
            for (DiffName name : request.diffs()) {
                Held held = name.writer().equals(self) == own ? present(of, name) : null;
                if (held != null && sum < most) {
                    diffs.add(new NamedDiff(name, held.diff()));
                    sum += held.bytes();
                }
            }
        }
        return diffs;
    }

    private static @Nullable Held present(OfPage of, DiffName name) {
        return of.diffs.get(name);
    }
}
