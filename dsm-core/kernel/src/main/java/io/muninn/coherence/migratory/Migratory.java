package io.muninn.coherence.migratory;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.shared.Deferrals;
import io.muninn.coherence.shared.Outrun;
import io.muninn.coherence.shared.Requests;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.MemoryModel;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.wire.Codec;
import io.muninn.wire.Payload;
import java.util.List;

/**
 * Migratory: a page is on one node at a time. Any fault, also of a load, moves page and ownership,
 * and grants loads and stores; the old copy is discarded. A page is also sent to a node that has
 * not requested it, together with the token of the lock within whose sections it is used.
 *
 * <p>Source: Munin §2.2. Departures: a page just obtained is held for the hold time, so that the
 * faulting thread can use it; a page travels with a lock.
 *
 * <pre>
 *               fault            PageRequest                PageMove               HoldOver
 * Absent        ask, →Awaiting   forward, owner:=asker (2)  install (3), →Present  ignore
 * Awaiting      join             defer (2)                  install (4), →Present  ignore
 * Present       resume           move, →Absent (1) (2)      impossible             answer deferred
 *
 * (1) within the hold time, or behind deferred requests: defer until HoldOver
 * (2) a request that the page has overtaken: drop
 * (3) that travels with a lock; a reply is impossible
 * (4) if it travels with a lock, it overtakes this node's request, which is dropped wherever it
 *     arrives: here, or at a node that has had the page since
 * </pre>
 *
 * When a lock is passed to another node, a page that is Present is sent with it, →Absent, unless it
 * is within the hold time or requests are deferred.
 *
 * <p>HoldOver is ignored if the page has moved on before the timer fired. A PageRequest of this
 * node for its own page is impossible everywhere, unless its page has overtaken it.
 */
public final class Migratory implements CoherenceProtocol<Migratory.Msg> {
    /** A page as this node sees it. */
    sealed interface State {
        record Absent() implements State {}

        /**
         * @param asked number of this node's request
         */
        record Awaiting(long asked, Deferrals<Msg> deferred) implements State {}

        record Present(long heldUntilNanos, Deferrals<Msg> deferred) implements State {}
    }

    /** The messages of this protocol. */
    public sealed interface Msg extends ProtocolMessage.OfOnePage {}

    /**
     * Requests a page; forwarded unchanged along probable owners. Layout: page, asker, number i64.
     *
     * @param asker node that faulted, not a forwarder
     * @param number of the requester's request
     */
    public record PageRequest(PageId page, NodeId asker, long number)
            implements Msg, ProtocolMessage.ForwardedRequest {
        static final Codec<PageRequest> CODEC =
                new Codec<>(
                        0x30,
                        "migratory-request",
                        PageRequest.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.node(m.asker());
                            out.i64(m.number());
                        },
                        in -> new PageRequest(in.page(), in.node(), in.i64()));

        @Override
        public Codec<PageRequest> codec() {
            return CODEC;
        }
    }

    /**
     * Moves a page and its ownership. Layout: page, answered i64, count u16 and that many outrun
     * requests: asker and number i64; image payload.
     *
     * @param answered number of the request that it answers; {@link Requests#UNASKED} if it travels
     *     with a lock
     * @param outrun requests that the page has overtaken, by requester
     */
    public record PageMove(PageId page, long answered, List<Outrun> outrun, Payload image)
            implements Msg, ProtocolMessage.Reply {
        static final Codec<PageMove> CODEC =
                new Codec<>(
                        0x31,
                        "migratory-page",
                        PageMove.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.i64(m.answered());
                            out.list(m.outrun(), Outrun::encode);
                            out.payload(m.image());
                        },
                        in ->
                                new PageMove(
                                        in.page(),
                                        in.i64(),
                                        in.list(Outrun::decode),
                                        in.payload()));

        public PageMove {
            outrun = List.copyOf(outrun);
        }

        @Override
        public Payload imageOf(PageId of) {
            return image;
        }

        @Override
        public boolean givesOwnership(PageId of) {
            return true;
        }

        @Override
        public Codec<PageMove> codec() {
            return CODEC;
        }
    }

    /** The contract that other code may rely on. */
    public static final ProtocolTraits TRAITS =
            ProtocolTraits.of(
                            MemoryModel.SEQUENTIAL_CONSISTENCY,
                            Trait.ONE_WRITER,
                            Trait.ONE_COPY,
                            Trait.TRAVELS_WITH_LOCKS,
                            Trait.HELD)
                    .state("Absent", PageAccess.NONE)
                    .state("Awaiting", PageAccess.NONE, Mark.ANSWERS, Mark.THREADS_WAIT)
                    .state("Present", PageAccess.READ_WRITE, Mark.ANSWERS);

    public static final List<Codec<?>> CODECS = List.of(PageRequest.CODEC, PageMove.CODEC);

    private static final State ABSENT = new State.Absent();

    private final Context context;
    private final NodeId self;
    private final Directory<State> directory;
    private final Requests requests;

    public Migratory(Context context) {
        this.context = context;
        this.self = context.self();
        this.requests = new Requests(self);
        this.directory =
                new Directory<>(
                        self,
                        () ->
                                self.isRoot()
                                        ? new State.Present(0, new Deferrals<>(context))
                                        : ABSENT);
    }

    @Override
    public String describe(PageId page) {
        return directory.peek(page).toString();
    }

    @Override
    public PageSnapshot snapshot(PageId page) {
        DirectoryEntry<State> entry = directory.peek(page);
        return entry.snapshot(entry.state().getClass().getSimpleName());
    }

    @Override
    public void onRegionAdded(RegionSpec region) {
        directory.add(region);
    }

    @Override
    public void onReadFault(PageId page, Effects out) {
        onFault(directory.entry(page), out);
    }

    @Override
    public void onWriteFault(PageId page, Effects out) {
        onFault(directory.entry(page), out);
    }

    private void onFault(DirectoryEntry<State> entry, Effects out) {
        switch (entry.state()) {
            case State.Absent _ -> ask(entry, out);
            case State.Awaiting _ -> {} // joined: one resume wakes all
            case State.Present _ -> out.resumeFault(entry.page(), PageAccess.READ_WRITE);
        }
    }

    @Override
    public void onMessage(NodeId from, Msg message, Effects out) {
        DirectoryEntry<State> entry = directory.entry(message.page());
        switch (message) {
            case PageRequest request -> onPageRequest(entry, from, request, out);
            case PageMove move -> onPageMove(entry, move, out);
        }
    }

    @Override
    public void onTimer(TimerId timer, Effects out) {
        if (timer instanceof TimerId.HoldOver(PageId page)
                && directory.entry(page).state()
                        instanceof State.Present(_, Deferrals<Msg> deferred)) {
            directory.entry(page).become(new State.Present(0, deferred));
            for (Deferrals.Deferral<Msg> waiting : deferred.takeAll()) {
                onMessage(waiting.from(), waiting.message(), out);
            }
        }
    }

    @Override
    public boolean onLockPassed(PageId page, NodeId to, Effects out) {
        DirectoryEntry<State> entry = directory.entry(page);
        if (entry.state() instanceof State.Present(long heldUntil, var deferred)
                && !deferred.mustWait(heldUntil)) {
            move(entry, to, Requests.UNASKED, out);
            return true;
        }
        return false;
    }

    @Override
    public void onPeerLost(NodeId node, Effects out) {
        directory.forEach(entry -> {
            if (entry.state() instanceof State.Awaiting) {
                out.poison(entry.page());
            }
        });
    }

    private void ask(DirectoryEntry<State> entry, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return;
        }
        long number = requests.next();
        entry.become(new State.Awaiting(number, new Deferrals<>(context)));
        out.send(entry.probableOwner(), new PageRequest(entry.page(), self, number));
    }

    private void onPageRequest(
            DirectoryEntry<State> entry, NodeId from, PageRequest request, Effects out) {
        if (requests.isOutrun(entry.page(), request.asker(), request.number())) {
            return;
        }
        ProtocolViolation.check(!request.asker().equals(self), entry, request);
        switch (entry.state()) {
            case State.Absent _ -> {
                out.count(NodeCounter.FORWARDS);
                out.send(entry.probableOwner(), request);
                entry.probableOwner(request.asker());
            }
            case State.Awaiting(_, Deferrals<Msg> deferred) -> deferred.add(from, request);
            case State.Present(long heldUntil, Deferrals<Msg> deferred) -> {
                if (deferred.mustWait(heldUntil)) {
                    deferred.addUntil(heldUntil, entry.page(), from, request, out);
                } else {
                    move(entry, request.asker(), request.number(), out);
                }
            }
        }
    }

    private void onPageMove(DirectoryEntry<State> entry, PageMove move, Effects out) {
        boolean isUnasked = move.answered() == Requests.UNASKED;
        switch (entry.state()) {
            case State.Absent _ when isUnasked -> {
                out.cameUnasked(entry.page());
                install(entry, move, new Deferrals<>(context), out);
            }
            case State.Awaiting(long asked, Deferrals<Msg> deferred) when isUnasked -> {
                requests.outran(entry.page(), asked);
                install(entry, move, deferred, out);
            }
            case State.Awaiting(long asked, Deferrals<Msg> deferred)
                    when move.answered() == asked ->
                    install(entry, move, deferred, out);
            default -> throw new ProtocolViolation(entry, move);
        }
    }

    private void install(
            DirectoryEntry<State> entry, PageMove move, Deferrals<Msg> deferred, Effects out) {
        entry.probableOwner(self);
        long heldUntil = context.nowNanos() + context.holdNanos();
        entry.become(new State.Present(heldUntil, deferred));
        requests.came(entry.page(), move.outrun());
        out.count(NodeCounter.PAGES_FETCHED);
        out.installPage(entry.page(), move.image(), PageAccess.READ_WRITE);
        out.resumeFault(entry.page(), PageAccess.READ_WRITE);
        deferred.armTimer(heldUntil, entry.page(), out);
    }

    /**
     * Freezes, sends and forgets the page, in this order: the image contains the last local store.
     */
    private void move(DirectoryEntry<State> entry, NodeId to, long answered, Effects out) {
        PageId page = entry.page();
        out.setAccess(page, PageAccess.READ);
        out.count(NodeCounter.PAGES_SENT);
        Payload image = new Payload.PageImage(page);
        out.send(to, new PageMove(page, answered, requests.outrun(page), image));
        out.discard(page);
        entry.probableOwner(to);
        entry.become(ABSENT);
    }
}
