package io.muninn.kernel;

import io.muninn.api.DsmLock;
import io.muninn.api.spi.PageAdvice;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.sync.SectionPages;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import io.muninn.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pages that travel with locks. They are detected by faults of threads that hold a lock, or
 * declared by the program. The node that passes the lock on sends them before its token, so the
 * next section does not fault.
 *
 * <p>A page belongs to the lock within which it faulted last, and a lock has at most {@link
 * #PAGES_MAX} pages. The record of a page travels with it. A page that travels does not fault, so
 * its use is not observed: from time to time it stays behind, and travels again only if it faults
 * then. A page that the program has declared on a node belongs to its lock there permanently, and
 * never stays behind; on other nodes it is treated as any page that has arrived.
 *
 * <p>No fault identifies the thread that will use a page that has arrived with a lock. It is held
 * as any other page, and its hold ends when the token is passed on.
 */
final class GuardedPages implements SectionPages {
    static final int PAGES_MAX = DsmLock.GUARDED_PAGES_MAX;

    /** Number of journeys before a page stays behind for the first time. */
    static final int JOURNEYS_MIN = 8;

    /** Largest number of journeys, reached if the page has faulted whenever it stayed behind. */
    static final int JOURNEYS_MAX = 64;

    /**
     * A page of a lock.
     *
     * @param planned number of journeys between two times that it stays behind; {@link #FOR_GOOD}
     *     if it never does
     * @param left number of journeys until then; {@link #STAYED} once it has stayed behind
     */
    private record Guarded(PageId page, int planned, int left) {
        private static final int STAYED = 255;
        private static final int FOR_GOOD = 0;

        static Guarded forGood(PageId page) {
            return new Guarded(page, FOR_GOOD, FOR_GOOD);
        }

        boolean isForGood() {
            return planned == FOR_GOOD;
        }

        Guarded afterFault() {
            int more = left == STAYED ? Math.min(2 * planned, JOURNEYS_MAX) : planned;
            return new Guarded(page, more, more);
        }

        Guarded afterJourney() {
            return new Guarded(page, planned, left - 1);
        }

        Guarded afterStay() {
            return new Guarded(page, planned, STAYED);
        }
    }

    private final ProtocolTable protocols;
    private final StoppedThreads stopped;
    private final Map<LockId, List<Guarded>> pages = new LinkedHashMap<>(); // the oldest first
    private final Map<PageId, LockId> locks = new LinkedHashMap<>();

    GuardedPages(ProtocolTable protocols, StoppedThreads stopped) {
        this.protocols = protocols;
        this.stopped = stopped;
    }

    /** Records that a thread has stopped at a page while it held this lock. */
    void stopped(LockId lock, PageId page) {
        Guarded known = new Guarded(page, JOURNEYS_MIN, JOURNEYS_MIN);
        LockId before = locks.get(page);
        if (before != null) {
            if (isForGood(before, page)) {
                return;
            }
            Guarded old = remove(before, page);
            known = before.equals(lock) ? old.afterFault() : known;
        }
        add(lock, known);
    }

    private boolean isForGood(LockId lock, PageId page) {
        return pages.getOrDefault(lock, List.of()).contains(Guarded.forGood(page));
    }

    /** Processes advice. Advice that is not about locks is passed to the protocol of the pages. */
    void onAdvised(Event.Advised advised, Effects out) {
        if (advised.advice() instanceof PageAdvice.GuardedBy(String lock)) {
            told(new LockId(lock), advised.first(), advised.count());
        } else {
            protocols.onAdvice(advised.first(), advised.count(), advised.advice(), out);
        }
    }

    /** Records the program's declaration that threads use pages inside sections of a lock. */
    void told(LockId lock, PageId first, int count) {
        for (int i = 0; i < count; i++) {
            PageId page = first.plus(i);
            LockId before = locks.get(page);
            if (before != null) {
                remove(before, page);
            }
            add(lock, Guarded.forGood(page));
        }
    }

    private void add(LockId lock, Guarded page) {
        List<Guarded> all = pages.computeIfAbsent(lock, _ -> new ArrayList<>(1));
        if (all.size() == PAGES_MAX) {
            Guarded least =
                    all.stream()
                            .filter(each -> !each.isForGood())
                            .findFirst()
                            .orElse(all.getFirst());
            if (least.isForGood() && !page.isForGood()) {
                return;
            }
            remove(lock, least.page());
        }
        all.add(page);
        locks.put(page.page(), lock);
    }

    private Guarded remove(LockId lock, PageId page) {
        locks.remove(page);
        List<Guarded> all = pages.get(lock);
        if (all == null) {
            throw new ProtocolViolation(lock + " guards no page, and so not " + page);
        }
        int at = 0;
        while (!all.get(at).page().equals(page)) {
            at++;
        }
        return all.remove(at);
    }

    @Override
    public Bytes passing(LockId lock, NodeId to, Effects out) {
        List<Guarded> all = pages.get(lock);
        if (all == null || all.isEmpty()) {
            return Bytes.EMPTY;
        }
        ByteWriter known = new ByteWriter();
        for (Guarded each : List.copyOf(all)) {
            endHold(lock, each.page(), out);
            if (each.isForGood()) {
                if (protocols.of(each.page()).onLockPassed(each.page(), to, out)) {
                    write(new Guarded(each.page(), JOURNEYS_MIN, JOURNEYS_MIN), known);
                }
            } else if (each.left() == Guarded.STAYED) {
                remove(lock, each.page()); // not used since
            } else if (each.left() == 0) {
                remove(lock, each.page());
                write(each.afterStay(), known);
            } else if (protocols.of(each.page()).onLockPassed(each.page(), to, out)) {
                remove(lock, each.page());
                write(each.afterJourney(), known);
            }
        }
        return new Bytes(known.toArray());
    }

    /**
     * Ends the hold of a page if its threads stopped inside a section of the lock, which they have
     * left.
     */
    private void endHold(LockId lock, PageId page, Effects out) {
        if (stopped.wereInside(lock, page)) {
            TimerId hold = new TimerId.HoldOver(page);
            out.cancelTimer(hold);
            protocols.of(page).onTimer(hold, out);
        }
    }

    private static void write(Guarded guarded, ByteWriter out) {
        out.page(guarded.page());
        out.u8(guarded.planned());
        out.u8(guarded.left());
    }

    @Override
    public void granted(LockId lock, Bytes known) {
        if (known.length() == 0) {
            return;
        }
        ByteReader in = new ByteReader(known.array());
        while (in.remaining() > 0) {
            Guarded guarded = new Guarded(in.page(), in.u8(), in.u8());
            if (guarded.planned() < JOURNEYS_MIN || guarded.planned() > JOURNEYS_MAX) {
                throw new MalformedMessageException(
                        "lock '" + lock + "' came with " + guarded + ", of another version");
            }
            LockId before = locks.get(guarded.page());
            if (before == null || !isForGood(before, guarded.page())) {
                if (before != null) {
                    remove(before, guarded.page());
                }
                add(lock, guarded);
            }
        }
    }
}
