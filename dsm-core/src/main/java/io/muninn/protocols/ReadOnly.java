package io.muninn.protocols;

import io.muninn.api.spi.RegionSpec;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.protocol.CoherenceProtocol;
import io.muninn.protocol.Context;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Effects;
import io.muninn.protocol.ProtocolMessage;
import io.muninn.protocol.ProtocolViolation;
import io.muninn.wire.Codec;
import io.muninn.wire.Payload;
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
 * Awaiting      join               fail run      impossible    install, →Readable   impossible
 * Readable      resume             fail run      send copy     impossible           impossible
 *
 * (1) on the root before it is sealed
 * </pre>
 *
 * Copies are asked of the root alone, and nothing is asked before the root is sealed.
 */
public final class ReadOnly implements CoherenceProtocol<ReadOnly.Msg> {
    /** A page as this node sees it. */
    enum State {
        WRITABLE("Writable"),
        ABSENT("Absent"),
        AWAITING("Awaiting"),
        READABLE("Readable");

        private final String word;

        State(String word) {
            this.word = word;
        }
    }

    /** The messages of this protocol. */
    public sealed interface Msg extends ProtocolMessage {
        PageId page();

        @Override
        default List<PageId> pages() {
            return List.of(page());
        }
    }

    /** Asks the root for a copy. Layout: page. */
    public record CopyRequest(PageId page) implements Msg {
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

    /** Gives a copy. Layout: page, image payload. */
    public record CopyReply(PageId page, Payload image) implements Msg {
        static final Codec<CopyReply> CODEC =
                new Codec<>(
                        0x21,
                        "read-only-page",
                        CopyReply.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.payload(m.image());
                        },
                        in -> new CopyReply(in.page(), in.payload()));

        @Override
        public Codec<CopyReply> codec() {
            return CODEC;
        }
    }

    static final List<Codec<?>> CODECS = List.of(CopyRequest.CODEC, CopyReply.CODEC);

    private final Context context;
    private final NodeId self;
    private final Directory<State> directory;
    private boolean sealed;

    ReadOnly(Context context) {
        this.context = context;
        this.self = context.self();
        this.directory = new Directory<>(self, this::initial);
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
        switch (entry.state()) {
            case WRITABLE -> out.resumeFault(page, PageAccess.READ_WRITE);
            case READABLE -> out.resumeFault(page, PageAccess.READ);
            case AWAITING -> {} // joined: one resume wakes all
            case ABSENT -> ask(entry, out);
        }
    }

    @Override
    public void onWriteFault(PageId page, Effects out) {
        switch (directory.entry(page).state()) {
            case WRITABLE -> out.resumeFault(page, PageAccess.READ_WRITE);
            case ABSENT, AWAITING, READABLE ->
                    out.failRun(
                            "store to READ_ONLY variable '"
                                    + context.region(page).name()
                                    + "' after initialization, in page "
                                    + page
                                    + " of node "
                                    + self);
        }
    }

    @Override
    public void onSealed(Effects out) {
        sealed = true;
        directory.forEach(entry -> {
            ProtocolViolation.check(entry.state() == State.WRITABLE, entry, "Sealed");
            entry.become(State.READABLE);
            out.setAccess(entry.page(), PageAccess.READ);
        });
    }

    @Override
    public void onMessage(NodeId from, Msg message, Effects out) {
        DirectoryEntry<State> entry = directory.entry(message.page());
        switch (message) {
            case CopyRequest request -> {
                ProtocolViolation.check(entry.state() == State.READABLE, entry, request);
                out.count(Counter.PAGES_SENT);
                out.send(from, new CopyReply(entry.page(), new Payload.PageImage(entry.page())));
            }
            case CopyReply reply -> {
                ProtocolViolation.check(entry.state() == State.AWAITING, entry, reply);
                entry.become(State.READABLE);
                out.count(Counter.PAGES_FETCHED);
                out.installPage(entry.page(), reply.image(), PageAccess.READ);
                out.resumeFault(entry.page(), PageAccess.READ);
            }
        }
    }

    @Override
    public void onPeerLost(NodeId node, Effects out) {
        directory.forEach(entry -> {
            if (entry.state() == State.AWAITING) {
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
