package io.muninn.coherence.readonly;

import io.muninn.api.Mode;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.shared.Prefetches;
import io.muninn.coherence.shared.ReadAhead;
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
import io.muninn.wire.Codec;
import io.muninn.wire.Payload;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Read-only: the root writes during initialization; then pages are replicated on demand and never
 * change. A store after initialization ends the run.
 *
 * <p>Source: Munin §2.2.
 *
 * <pre>
 *               read fault         write fault   CopyRequest   CopyReply            Sealed
 * Writable (1)  resume             resume        impossible    impossible           →Readable
 * Absent        ask, →Awaiting     fail run      impossible    impossible           impossible
 * Ahead (2)     →Awaiting          fail run      impossible    install, →Readable   impossible
 * Awaiting      join               fail run      impossible    install, →Readable   impossible
 * Readable      resume             fail run      send copy     impossible           impossible
 *
 *               CopiesRequest
 * Writable (1)  impossible
 * Absent        impossible
 * Ahead (2)     impossible
 * Awaiting      impossible
 * Readable      send copies
 *
 * (1) on the root, before it is sealed
 * (2) requested by read-ahead or a prefetch, and no thread waits. The page is installed without
 *     access. The first access opens it and the pages that follow ({@link ReadAhead})
 * </pre>
 *
 * Copies are requested from the root alone, and nothing is requested before the root is sealed. A
 * CopiesReply stands for one CopyReply per page.
 */
public final class ReadOnly implements CoherenceProtocol<ReadOnly.Msg> {
    /** A page as this node sees it. */
    enum State {
        WRITABLE("Writable"),
        ABSENT("Absent"),
        AHEAD("Ahead"),
        AWAITING("Awaiting"),
        READABLE("Readable");

        private final String word;

        State(String word) {
            this.word = word;
        }
    }

    /** The messages of this protocol. */
    public sealed interface Msg extends ProtocolMessage {}

    /** Requests a copy from the root. Layout: page. */
    public record CopyRequest(PageId page)
            implements Msg, ProtocolMessage.OfOnePage, ProtocolMessage.Request {
        static final Codec<CopyRequest> CODEC =
                new Codec<>(
                        0x20,
                        "read-only-request",
                        CopyRequest.class,
                        (m, out) -> out.page(m.page()),
                        in -> new CopyRequest(in.page()));

        @Override
        public Codec<CopyRequest> codec() {
            return CODEC;
        }
    }

    /**
     * Requests copies from the root before threads need them. Layout: count u16, then the pages.
     */
    public record CopiesRequest(List<PageId> pages) implements Msg, ProtocolMessage.Request {
        static final Codec<CopiesRequest> CODEC =
                new Codec<>(
                        0x22,
                        "read-only-requests",
                        CopiesRequest.class,
                        (m, out) -> out.list(m.pages(), (page, to) -> to.page(page)),
                        in -> new CopiesRequest(in.list(WireReader::page)));

        @Override
        public int pageCount() {
            return pages.size();
        }

        @Override
        public PageId page(int index) {
            return pages.get(index);
        }

        @Override
        public Codec<CopiesRequest> codec() {
            return CODEC;
        }
    }

    /** A reply with copies. */
    public sealed interface PageReply extends Msg, ProtocolMessage.Reply {
        /** One reply per page. */
        List<CopyReply> replies();

        @Override
        default Payload imageOf(PageId page) {
            for (CopyReply reply : replies()) {
                if (reply.page().equals(page)) {
                    return reply.image();
                }
            }
            throw new IllegalArgumentException("no copy of " + page + " is in " + this);
        }

        @Override
        default String tableEvent() {
            return CopyReply.class.getSimpleName();
        }
    }

    /** A reply with a copy. Layout: page, image payload. */
    public record CopyReply(PageId page, Payload image)
            implements PageReply, ProtocolMessage.OfOnePage {
        static final Codec<CopyReply> CODEC =
                new Codec<>(
                        0x21, "read-only-page", CopyReply.class, CopyReply::write, CopyReply::read);

        private static void write(CopyReply reply, WireWriter out) {
            out.page(reply.page());
            out.payload(reply.image());
        }

        private static CopyReply read(WireReader in) {
            return new CopyReply(in.page(), in.payload());
        }

        @Override
        public List<CopyReply> replies() {
            return List.of(this);
        }

        @Override
        public Codec<CopyReply> codec() {
            return CODEC;
        }
    }

    /**
     * A reply with the copies that one message has requested. Layout: count u16, then per page the
     * layout of {@link CopyReply}.
     */
    public record CopiesReply(List<CopyReply> replies) implements PageReply {
        static final Codec<CopiesReply> CODEC =
                new Codec<>(
                        0x23,
                        "read-only-pages",
                        CopiesReply.class,
                        (m, out) -> out.list(m.replies(), CopyReply::write),
                        in -> new CopiesReply(in.list(CopyReply::read)));

        @Override
        public int pageCount() {
            return replies.size();
        }

        @Override
        public PageId page(int index) {
            return replies.get(index).page();
        }

        @Override
        public Codec<CopiesReply> codec() {
            return CODEC;
        }
    }

    /** The contract that other code may rely on. */
    public static final ProtocolTraits TRAITS =
            ProtocolTraits.of(
                            MemoryModel.SEQUENTIAL_CONSISTENCY,
                            Trait.ONE_WRITER,
                            Trait.ROOT_ANSWERS,
                            Trait.READS_AHEAD)
                    .state(State.WRITABLE.word, PageAccess.READ_WRITE)
                    .state(State.ABSENT.word, PageAccess.NONE)
                    .state(State.AHEAD.word, PageAccess.NONE)
                    .state(State.AWAITING.word, PageAccess.NONE, Mark.THREADS_WAIT)
                    .state(State.READABLE.word, PageAccess.READ);

    public static final List<Codec<?>> CODECS =
            List.of(CopyRequest.CODEC, CopyReply.CODEC, CopiesRequest.CODEC, CopiesReply.CODEC);

    private final Context context;
    private final NodeId self;
    private final Directory<State> directory;
    private final ReadAhead readAhead;
    private boolean sealed;

    public ReadOnly(Context context) {
        this.context = context;
        this.self = context.self();
        this.directory = new Directory<>(self, this::initial);
        this.readAhead = new ReadAhead(context);
    }

    private State initial() {
        if (!self.isRoot()) {
            return State.ABSENT;
        }
        return sealed ? State.READABLE : State.WRITABLE;
    }

    @Override
    public String describe(PageId page) {
        return directory.peek(page).toString();
    }

    @Override
    public PageSnapshot snapshot(PageId page) {
        DirectoryEntry<State> entry = directory.peek(page);
        return entry.snapshot(entry.state().word);
    }

    @Override
    public void onRegionAdded(RegionSpec region) {
        directory.add(region);
    }

    @Override
    public void onReadFault(PageId page, Effects out) {
        DirectoryEntry<State> entry = directory.entry(page);
        boolean isNew = isNew(entry);
        boolean wasAhead = entry.state() == State.AHEAD;
        switch (entry.state()) {
            case WRITABLE -> out.resumeFault(page, PageAccess.READ_WRITE);
            case READABLE -> out.resumeFault(page, PageAccess.READ);
            case AWAITING -> {} // joined: one resume wakes all
            case AHEAD -> entry.become(State.AWAITING);
            case ABSENT -> ask(entry, out);
        }
        if (isNew) {
            makeReady(page, out);
        }
        readAhead.prefetches().used(page, !wasAhead, out);
    }

    @Override
    public void onWriteFault(PageId page, Effects out) {
        switch (directory.entry(page).state()) {
            case WRITABLE -> {
                out.resumeFault(page, PageAccess.READ_WRITE);
                makeReady(page, out);
            }
            case ABSENT, AHEAD, AWAITING, READABLE ->
                    out.failRun(
                            "store to READ_ONLY variable '"
                                    + context.region(page).name()
                                    + "' after initialization, in page "
                                    + page
                                    + " of node "
                                    + self);
        }
    }

    /** True if no thread of this node has accessed the page. */
    private boolean isNew(DirectoryEntry<State> entry) {
        return switch (entry.state()) {
            case WRITABLE, ABSENT, AHEAD -> true;
            case READABLE -> readAhead.isUnopened(entry.page());
            case AWAITING -> false;
        };
    }

    /** Gives threads access to the present pages after a fault, and requests the missing ones. */
    private void makeReady(PageId fault, Effects out) {
        ReadAhead.Step ahead = readAhead.onFault(fault);
        if (ahead == ReadAhead.Step.NONE) {
            return;
        }
        readAhead.open(fault, ahead, page -> open(directory.entry(page), out), out);
        if (context.isRunOver()) {
            return;
        }
        List<PageId> wanted = new ArrayList<>();
        for (int index = ahead.askBegin(); index < ahead.askEnd(); index++) {
            DirectoryEntry<State> entry = directory.entry(new PageId(fault.region(), index));
            if (entry.state() == State.ABSENT) {
                want(entry, wanted);
            }
        }
        ask(wanted, out);
    }

    @Override
    public void onPrefetch(PageId first, int count, Mode mode, Effects out) {
        List<PageId> wanted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            DirectoryEntry<State> entry = directory.entry(first.plus(i));
            if (entry.state() == State.ABSENT) {
                want(entry, wanted);
                readAhead.prefetches().requested(entry.page());
            }
        }
        Prefetches.unnecessary(count - wanted.size(), out);
        ask(wanted, out);
    }

    private void want(DirectoryEntry<State> entry, List<PageId> wanted) {
        entry.become(State.AHEAD);
        readAhead.asked(entry.page());
        wanted.add(entry.page());
    }

    private static void ask(List<PageId> wanted, Effects out) {
        if (!wanted.isEmpty()) {
            out.count(NodeCounter.PAGES_AHEAD, wanted.size());
            out.send(NodeId.ROOT, new CopiesRequest(wanted));
        }
    }

    private boolean open(DirectoryEntry<State> entry, Effects out) {
        boolean isHere = entry.state() == State.READABLE && readAhead.isUnopened(entry.page());
        if (!isHere && entry.state() != State.WRITABLE) {
            return false;
        }
        readAhead.opened(entry.page());
        out.resumeFault(entry.page(), isHere ? PageAccess.READ : PageAccess.READ_WRITE);
        return true;
    }

    @Override
    public void onSealed(Effects out) {
        sealed = true;
        directory.forEach(entry -> {
            out.pageEvent(entry.page(), "Sealed");
            ProtocolViolation.check(entry.state() == State.WRITABLE, entry, "Sealed");
            entry.become(State.READABLE);
            out.setAccess(entry.page(), PageAccess.READ);
        });
    }

    @Override
    public void onMessage(NodeId from, Msg message, Effects out) {
        switch (message) {
            case CopyRequest request -> sendCopies(from, request, out);
            case CopiesRequest request -> sendCopies(from, request, out);
            case PageReply reply -> {
                reply.replies().forEach(one -> onCopyReply(one, out));
                // counted after the effects of all pages, which are one step
                out.count(NodeCounter.PAGES_FETCHED, reply.replies().size());
            }
        }
    }

    private void sendCopies(NodeId to, Msg request, Effects out) {
        List<CopyReply> replies = new ArrayList<>();
        for (PageId page : request.pages()) {
            DirectoryEntry<State> entry = directory.entry(page);
            ProtocolViolation.check(entry.state() == State.READABLE, entry, request);
            replies.add(new CopyReply(page, new Payload.PageImage(page)));
        }
        out.count(NodeCounter.PAGES_SENT, replies.size());
        int most = context.updates().limits().images(context.region(request.page(0)));
        for (int begin = 0; begin < replies.size(); begin += most) {
            int end = Math.min(begin + most, replies.size());
            List<CopyReply> some = List.copyOf(replies.subList(begin, end));
            out.send(to, some.size() == 1 ? some.getFirst() : new CopiesReply(some));
        }
    }

    private void onCopyReply(CopyReply reply, Effects out) {
        DirectoryEntry<State> entry = directory.entry(reply.page());
        boolean isAwaited = entry.state() == State.AWAITING;
        ProtocolViolation.check(isAwaited || entry.state() == State.AHEAD, entry, reply);
        entry.become(State.READABLE);
        if (isAwaited) {
            out.installPage(entry.page(), reply.image(), PageAccess.READ);
            out.resumeFault(entry.page(), PageAccess.READ);
        } else {
            out.installPage(entry.page(), reply.image(), PageAccess.NONE);
        }
    }

    @Override
    public void onPeerLost(NodeId node, Effects out) {
        directory.forEach(entry -> {
            if (entry.state() == State.AWAITING || entry.state() == State.AHEAD) {
                out.poison(entry.page());
            }
        });
    }

    private void ask(DirectoryEntry<State> entry, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return;
        }
        entry.become(State.AWAITING);
        out.send(NodeId.ROOT, new CopyRequest(entry.page()));
    }
}
