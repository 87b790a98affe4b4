package io.muninn.coherence.lazy;

import io.muninn.api.Advice;
import io.muninn.api.spi.PageAdvice;
import io.muninn.coherence.lazy.LazyMessages.DiffName;
import io.muninn.coherence.lazy.LazyMessages.DiffRequest;
import io.muninn.coherence.lazy.LazyMessages.GivenDiffs;
import io.muninn.coherence.lazy.LazyMessages.ImageRequest;
import io.muninn.coherence.lazy.LazyMessages.Msg;
import io.muninn.coherence.lazy.LazyMessages.NamedDiff;
import io.muninn.coherence.lazy.LazyMessages.Push;
import io.muninn.coherence.lazy.LazyMessages.Unread;
import io.muninn.coherence.lazy.LazyMessages.WantedDiffs;
import io.muninn.coherence.shared.WriteNotices.Notice;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolViolation;
import io.muninn.wire.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Lazy release consistency with updates at barriers. In addition to {@link Lazy}: before a node
 * arrives at a barrier for all threads, it sends the diffs of its stores to the nodes that have
 * requested those pages before. Such a push is not acknowledged, and nothing depends on it. The
 * receiver keeps it until an acquire processes the write notices of these diffs. If the receiver
 * then has all diffs that its copy lacks, it applies them in place, and the access to the page does
 * not change. A push that is late, dropped, or incomplete leaves the page stale, but the pushed
 * diffs need not be requested.
 *
 * <p>Source: Keleher and Tseng, "Enhancing software DSM for compiler-parallelized applications",
 * 1997, section 3.1.3, where the program marks the pages that are flushed. Departure: a page is
 * pushed to a node that has requested it before {@link Readers#REPEATS} consecutive barriers, and
 * no longer when that node has not read it ({@link PushedDiffs}).
 *
 * <pre>
 * As Lazy, but:
 *
 *              read fault           write fault
 * Stale        ask, →Fetching (20)  ask, →Fetching (20)
 *
 *              notice (4)
 * Clean        apply, or withdraw, →Withdrawing
 * Dirty        apply, or list, withdraw, →Closing
 * Closed       diff, apply, →Clean or →Withdrawing
 * Stale        tell writers (21)
 *
 *              Push (22)
 * Absent       drop (23)
 * Fetching     keep
 * Clean        keep
 * Dirty        keep
 * Closed       keep
 * Withdrawing  keep
 * Closing      keep
 * Stale        keep
 * Ahead        keep
 * Zeros        keep
 * Exclusive    impossible
 * Idle         impossible
 * Initial      impossible
 *
 * (1) a release that leaves the node. The page keeps its twin; its diff is made before an arrival
 *     at a barrier for all threads, if the page is pushed to some node then
 * (4) an acquire processes a notice of a diff that the copy does not contain. If all diffs that it
 *     lacks were pushed, they are applied, in the order of the notices' timestamps, to the page and
 *     its twin, after the own diff is made; except every eighth time that this is possible without
 *     a twin. Otherwise the copy lacks one more diff, and pushed diffs are kept. The acquire is
 *     performed when the access to all such pages is withdrawn. It waits for a page that was
 *     resumed within the hold time, while a thread of the node runs
 * (20) if the copy lacks only pushed diffs, nothing is requested: apply them, →Clean or →Dirty
 * (21) drop the pushed diffs, and notify their writers, if this happens the fourth time since some
 *     diffs that an access needs were pushed: no thread reads the page
 * (22) unless the copy contains it, the node has it or has requested it, a collection covers it, or
 *     the kept diffs exceed the bound of lazy data
 * (23) and notify the sender that this node does not read the page
 *
 * Pushed diffs that a collection covers are dropped when it is over.
 * </pre>
 */
public final class Hybrid extends Lazy {
    /** The contract that other code may rely on. */
    public static final ProtocolTraits TRAITS = LazyTraits.OF_PUSHES;

    /** In addition to those of {@link Lazy}. */
    public static final List<Codec<?>> CODECS = LazyMessages.CODECS_OF_PUSHES;

    private final Readers readers = new Readers();
    private final Set<PageId> listed = new TreeSet<>(); // since the last barrier
    private final TreeMap<PageId, List<NodeId>> pushing = new TreeMap<>(); // and their receivers
    // arrivals that wait for these pushes
    private final List<GatedRelease> arrivals = new ArrayList<>();
    private boolean isPushing; // diffs are being made; pages listed meanwhile are pushed later

    public Hybrid(Context context) {
        super(context);
    }

    // readers

    @Override
    public void onAdvice(PageId first, int count, PageAdvice advice, Effects out) {
        for (int i = 0; i < count; i++) {
            PageId page = first.plus(i);
            switch (advice) {
                case PageAdvice.Coherence(Advice coherence) -> readers.advise(page, coherence);
                case PageAdvice.ClearReaders() -> readers.clear(page);
                case PageAdvice.AddReader(int node) when isOther(node) ->
                        readers.add(page, NodeId.of(node), ended());
                case PageAdvice.AddReader _ -> {}
                case PageAdvice.RemoveReader(int node) when isOther(node) ->
                        readers.remove(page, NodeId.of(node));
                case PageAdvice.RemoveReader _, PageAdvice.GuardedBy _ -> {}
            }
        }
    }

    private boolean isOther(int node) {
        return node < context.nodes() && node != context.self().index();
    }

    /** The last interval of this node that has ended. */
    private long ended() {
        return context.clock().have().of(context.self());
    }

    @Override
    public void onDeposited(NodeId from, Bytes cargo, Effects out) {
        for (Notice notice : notices.deposit(from, cargo)) {
            notice.pages().forEach(page -> readers.wrote(page, notice.writer(), ended()));
        }
    }

    // releases

    @Override
    public void onRelease(GatedRelease leaving, Effects out) {
        if (leaving instanceof GatedRelease.Arrival arrival && arrival.isForAll()) {
            listDirty(out);
            arrivals.add(arrival); // performed after the interval, when its pushes are sent
        } else {
            super.onRelease(leaving, out);
        }
    }

    @Override
    public void onIntervalEnd(Effects out) {
        listed.addAll(interval.end(notices));
        if (!arrivals.isEmpty() && !isPushing) {
            isPushing = true;
            beginPushes(out);
            pushIfMade(out);
        }
    }

    private void beginPushes(Effects out) {
        for (PageId page : listed) {
            List<NodeId> due = readers.atBarrier(page);
            if (!due.isEmpty()) {
                pushing.put(page, due);
                pages.endCover(pages.entry(page), out);
            }
        }
        listed.clear();
    }

    @Override
    public void onDiffSaved(Event.DiffSaved saved, Effects out) {
        super.onDiffSaved(saved, out);
        pushIfMade(out);
    }

    /** Sends the pushes, before the arrivals, when all diffs of the step are made. */
    private void pushIfMade(Effects out) {
        if (!isPushing || held.isMaking()) {
            return;
        }
        isPushing = false;
        pushing.forEach((page, due) -> due.forEach(reader -> push(page, reader, out)));
        pushing.clear();
        outgoing.sendPushes(out);
        List<GatedRelease> performed = List.copyOf(arrivals);
        arrivals.clear();
        performed.forEach(out::releasePerformed);
    }

    /**
     * Pushes the diffs of a page to a reader. A diff that waits for a withdrawal is not made yet,
     * and is not sent.
     */
    private void push(PageId page, NodeId reader, Effects out) {
        List<NamedDiff> diffs = held.ownAfter(page, readers.given(page, reader));
        if (diffs.isEmpty()) {
            return;
        }
        long bytes = diffs.stream().mapToLong(each -> held.bytes(page, each.name())).sum();
        out.count(NodeCounter.PUSHES_SENT);
        out.count(NodeCounter.PUSHED_BYTES, bytes);
        outgoing.push(reader, new GivenDiffs(page, diffs), bytes, out);
        readers.give(page, reader, diffs.getLast().name().interval());
    }

    // messages

    @Override
    public void onMessage(NodeId from, Msg message, Effects out) {
        switch (message) {
            case Push push -> onPush(from, push, out);
            case Unread unread -> unread.pages().forEach(page -> readers.remove(page, from));
            case ImageRequest request -> {
                request.pages().forEach(page -> readers.asked(page, request.asker(), ended()));
                super.onMessage(from, request, out);
            }
            case DiffRequest request -> {
                for (WantedDiffs wanted : request.wanted()) {
                    readers.asked(wanted.page(), from, lastOwn(wanted.diffs()));
                }
                super.onMessage(from, request, out);
            }
            default -> super.onMessage(from, message, out);
        }
    }

    private long lastOwn(List<DiffName> names) {
        long last = 0;
        for (DiffName each : names) {
            if (each.writer().equals(context.self())) {
                last = Math.max(last, each.interval());
            }
        }
        return last;
    }

    private void onPush(NodeId from, Push push, Effects out) {
        for (GivenDiffs given : push.given()) {
            DirectoryEntry<State> entry = pages.entry(given.page());
            ProtocolViolation.check(!isOnlyCopy(entry.state()), entry, push);
            for (NamedDiff each : given.diffs()) {
                ProtocolViolation.check(each.name().writer().equals(from), entry, push);
            }
            out.count(NodeCounter.PUSHES_RECEIVED);
            if (!isKept(from, entry, given, out)) {
                out.count(NodeCounter.PUSHES_WASTED);
            }
        }
        stepped(out);
    }

    /** True for the only copy of a page: no other node stores to it. */
    private static boolean isOnlyCopy(State state) {
        return state instanceof State.Exclusive
                || state instanceof State.Idle
                || state instanceof State.Initial;
    }

    private boolean isKept(
            NodeId from, DirectoryEntry<State> entry, GivenDiffs given, Effects out) {
        return switch (entry.state()) {
            case State.Absent() -> {
                outgoing.tellUnread(from, entry.page());
                yield false;
            }
            case State.Fetching _, State.Ahead() ->
                    pushed.keep(entry, unasked(given), keepers.collected(), out);
            case State.Clean _,
                    State.Dirty _,
                    State.Closed _,
                    State.Withdrawing _,
                    State.Closing _,
                    State.Stale(),
                    State.Zeros(),
                    State.Exclusive _,
                    State.Idle _,
                    State.Initial() ->
                    pushed.keep(entry, given.diffs(), keepers.collected(), out);
        };
    }

    private List<NamedDiff> unasked(GivenDiffs given) {
        return given.diffs().stream()
                .filter(each -> !fetches.isAsked(given.page(), each.name()))
                .toList();
    }
}
