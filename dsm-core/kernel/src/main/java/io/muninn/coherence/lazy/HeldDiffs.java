package io.muninn.coherence.lazy;

import io.muninn.coherence.lazy.LazyMessages.DiffName;
import io.muninn.coherence.lazy.LazyMessages.DiffReply;
import io.muninn.coherence.lazy.LazyMessages.DiffRequest;
import io.muninn.coherence.lazy.LazyMessages.NamedDiff;
import io.muninn.directory.PageMap;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Effects;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The diffs that this node has: of its own stores, and those of others that it has got. They remain
 * here for nodes that ask. A request for a diff of this node that is not made yet waits for it.
 *
 * <p>A diff may be of several own intervals: of all in which the page was listed since its twin was
 * made. It has the name of the first, and those of the others are empty. That is right because
 * nobody has had any of these stores before, so that no other node can have stored to the page
 * after one of them and before another.
 */
final class HeldDiffs {
    /** Bytes of diffs with which a reply is full. */
    static final int MESSAGE_BYTES = 256 << 10;

    /**
     * One diff.
     *
     * @param diff {@link Payload#NONE} if it is empty
     */
    private record Held(Payload diff, int bytes) {}

    private record Deferred(NodeId asker, DiffRequest request) {}

    private static final class OfPage {
        final TreeMap<DiffName, Held> diffs = new TreeMap<>();
        final List<Long> unmade = new ArrayList<>(); // own intervals of whose stores there is none
        final List<Long> making = new ArrayList<>(); // those of the diff that is being made
        final List<Deferred> deferred = new ArrayList<>(); // oldest first
    }

    /** What a diff takes on the heap beside its bytes, about. */
    private static final int DIFF_BYTES = 128;

    private final NodeId self;
    private final PageMap<OfPage> pages = new PageMap<>();
    private final Set<PageId> named = new TreeSet<>(); // those of them with something to drop
    private long bytes;
    private long keeps; // numbers the diffs of others

    HeldDiffs(NodeId self) {
        this.self = self;
    }

    /** A page is listed in an interval of this node. */
    void listed(PageId page, long interval) {
        of(page).unmade.add(interval);
        named.add(page);
    }

    /**
     * Makes the diff of what has been listed: {@link Effects#saveDiff}.
     *
     * @return the last interval of which it is
     */
    long make(PageId page, boolean keepTwin, Effects out) {
        OfPage of = of(page);
        of.making.addAll(of.unmade);
        of.unmade.clear();
        out.saveDiff(page, of.making.getFirst(), keepTwin);
        return of.making.getLast();
    }

    /**
     * That diff was made, and answers requests that waited for it.
     *
     * @param bytes its length; 0 if page and twin are equal
     */
    void made(PageId page, long interval, int bytes, Effects out) {
        OfPage of = of(page);
        Payload diff = bytes == 0 ? Payload.NONE : new Payload.SavedDiff(page, interval);
        for (long each : of.making) {
            put(
                    page,
                    new DiffName(self, each),
                    each == interval ? new Held(diff, bytes) : new Held(Payload.NONE, 0));
        }
        of.making.clear();
        of.deferred.removeIf(waiting -> {
            boolean isAnswered = hasOwn(waiting.request(), of);
            if (isAnswered) {
                answer(waiting.asker(), waiting.request(), of, out);
            }
            return isAnswered;
        });
    }

    /** Keeps a diff that has arrived. */
    void keep(PageId page, NamedDiff arrived, Effects out) {
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

    /** Drops what a collection covers: every copy has it, or will come from one that has. */
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
                            drop(page, each.getValue().diff(), out);
                        }
                        return isCovered;
                    });
            while (of.unmade.size() > 1 && upTo.covers(self, of.unmade.getFirst())) {
                of.unmade.removeFirst(); // nobody asks for it by this name
            }
            return of.diffs.isEmpty() && of.unmade.size() <= 1;
        });
    }

    private static void drop(PageId page, Payload diff, Effects out) {
        switch (diff) {
            case Payload.SavedDiff(_, long interval) -> out.dropDiff(page, interval);
            case Payload.LastingDiff(_, long keep) -> out.dropKept(page, keep);
            default -> {} // it is empty
        }
    }

    /** The content of a diff that is here; {@link Payload#NONE} if it is empty. */
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
     * Answers a request, at once or when the diff that it names is made.
     *
     * @return false if it waits for that
     */
    boolean onDiffRequest(NodeId asker, DiffRequest request, Effects out) {
        OfPage of = of(request.page());
        if (hasOwn(request, of)) {
            answer(asker, request, of, out);
            return true;
        }
        of.deferred.add(new Deferred(asker, request));
        return false;
    }

    /** Whether a page has been listed since its last diff. */
    boolean hasUnmade(PageId page) {
        return !of(page).unmade.isEmpty();
    }

    /** Whether a request names a diff that can be made. */
    boolean asksForUnmade(DiffRequest request) {
        for (long each : of(request.page()).unmade) {
            if (request.diffs().contains(new DiffName(self, each))) {
                return true;
            }
        }
        return false;
    }

    private boolean hasOwn(DiffRequest request, OfPage of) {
        for (DiffName name : request.diffs()) {
            if (name.writer().equals(self) && !of.diffs.containsKey(name)) {
                return false;
            }
        }
        return true;
    }

    /** Own diffs first: they always are here, so that a reply brings its receiver something. */
    private void answer(NodeId asker, DiffRequest request, OfPage of, Effects out) {
        List<NamedDiff> diffs = new ArrayList<>();
        int bytes = 0;
        for (boolean own : new boolean[] {true, false}) {
            for (DiffName name : request.diffs()) {
                Held held = name.writer().equals(self) == own ? present(of, name) : null;
                if (held != null && bytes < MESSAGE_BYTES) {
                    diffs.add(new NamedDiff(name, held.diff()));
                    bytes += held.bytes();
                }
            }
        }
        out.send(asker, new DiffReply(request.page(), diffs));
    }

    private static @Nullable Held present(OfPage of, DiffName name) {
        return of.diffs.get(name);
    }
}
