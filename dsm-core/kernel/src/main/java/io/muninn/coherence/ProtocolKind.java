package io.muninn.coherence;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.homebased.HomeBased;
import io.muninn.coherence.homebased.HomeBasedMessages;
import io.muninn.coherence.homebased.HomeBasedTraits;
import io.muninn.coherence.invalidate.Conventional;
import io.muninn.coherence.invalidate.PipelinedInvalidate;
import io.muninn.coherence.lazy.Lazy;
import io.muninn.coherence.lazy.LazyMessages;
import io.muninn.coherence.migratory.Migratory;
import io.muninn.coherence.readonly.ReadOnly;
import io.muninn.coherence.writeshared.WriteShared;
import io.muninn.coherence.writeshared.WriteSharedMessages;
import io.muninn.coherence.writeshared.WriteSharedTraits;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.NodeId;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Context;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.wire.Codec;
import io.muninn.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.function.Function;

/** The registry: one line per protocol. */
public enum ProtocolKind {
    CONVENTIONAL(
            Protocol.CONVENTIONAL,
            Conventional.TRAITS,
            Conventional.class,
            Conventional.Msg.class,
            Conventional::new,
            Conventional.CODECS),
    READ_ONLY(
            Protocol.READ_ONLY,
            ReadOnly.TRAITS,
            ReadOnly.class,
            ReadOnly.Msg.class,
            ReadOnly::new,
            ReadOnly.CODECS),
    MIGRATORY(
            Protocol.MIGRATORY,
            Migratory.TRAITS,
            Migratory.class,
            Migratory.Msg.class,
            Migratory::new,
            Migratory.CODECS),
    WRITE_SHARED(
            Protocol.WRITE_SHARED,
            WriteSharedTraits.TRAITS,
            WriteShared.class,
            WriteSharedMessages.Msg.class,
            WriteShared::new,
            WriteShared.CODECS),
    PIPELINED(
            Protocol.PIPELINED,
            PipelinedInvalidate.TRAITS,
            PipelinedInvalidate.class,
            Conventional.Msg.class,
            PipelinedInvalidate::new,
            List.of()), // its messages are those of Conventional
    HOME_BASED(
            Protocol.HOME_BASED,
            HomeBasedTraits.TRAITS,
            HomeBased.class,
            HomeBasedMessages.Msg.class,
            HomeBased::new,
            HomeBased.CODECS),
    LAZY(Protocol.LAZY, Lazy.TRAITS, Lazy.class, LazyMessages.Msg.class, Lazy::new, Lazy.CODECS);

    private static final EnumMap<Protocol, ProtocolKind> BY_PROTOCOL =
            new EnumMap<>(Protocol.class);

    static {
        for (ProtocolKind kind : values()) {
            BY_PROTOCOL.put(kind.protocol, kind);
        }
    }

    private final Protocol protocol;
    private final ProtocolTraits traits;
    private final Class<?> implementation;
    private final Factory<?> factory;
    private final List<Codec<?>> codecs;

    <M extends ProtocolMessage, P extends CoherenceProtocol<M>> ProtocolKind(
            Protocol protocol,
            ProtocolTraits traits,
            Class<P> implementation,
            Class<M> messages,
            Function<Context, P> factory,
            List<Codec<?>> codecs) {
        this.protocol = protocol;
        this.traits = traits;
        this.implementation = implementation;
        this.factory = new Factory<>(messages, factory);
        this.codecs = codecs;
    }

    /** The line of a protocol. */
    public static ProtocolKind of(Protocol protocol) {
        ProtocolKind kind = BY_PROTOCOL.get(protocol);
        if (kind == null) {
            throw new IllegalArgumentException("protocol " + protocol + " is not registered");
        }
        return kind;
    }

    /**
     * The home of a page: as the policy of its region has it, or as a node with homes knows it.
     *
     * @param known the page on that node
     */
    public static NodeId home(RegionSpec region, PageSnapshot known, int nodes) {
        return of(region.protocol()).traits.has(Trait.HOMES)
                ? known.probableOwner()
                : region.homeOf(known.page().index(), nodes);
    }

    /** The codecs of all protocols. */
    public static List<Codec<?>> allCodecs() {
        List<Codec<?>> all = new ArrayList<>();
        for (ProtocolKind kind : values()) {
            all.addAll(kind.codecs);
        }
        return all;
    }

    public Protocol protocol() {
        return protocol;
    }

    /** What it promises, for code that works with every protocol. */
    public ProtocolTraits traits() {
        return traits;
    }

    /** The class with the state × event table in its Javadoc. */
    public Class<?> implementation() {
        return implementation;
    }

    /** A new instance for one node. */
    public BoundProtocol<?> create(Context context) {
        return factory.create(context);
    }

    /**
     * The protocols under which a program is right whatever its annotations are, if acquires and
     * releases order its accesses. The others have preconditions.
     */
    public static List<Protocol> ofEveryProgram() {
        return Arrays.stream(values())
                .filter(kind -> !kind.protocol.isSealed() && !kind.traits.has(Trait.ONE_COPY))
                .map(ProtocolKind::protocol)
                .toList();
    }

    /** The protocols whose contract has such a trait. */
    public static List<Protocol> with(Trait trait) {
        return Arrays.stream(values())
                .filter(kind -> kind.traits.has(trait))
                .map(ProtocolKind::protocol)
                .toList();
    }

    private record Factory<M extends ProtocolMessage>(
            Class<M> messages, Function<Context, ? extends CoherenceProtocol<M>> constructor) {
        BoundProtocol<M> create(Context context) {
            return new BoundProtocol<>(messages, constructor.apply(context));
        }
    }

    /**
     * A protocol instance and the type of its messages.
     *
     * @param <M> its messages
     */
    public record BoundProtocol<M extends ProtocolMessage>(
            Class<M> messages, CoherenceProtocol<M> protocol) {
        /**
         * Hands over a message that came from outside.
         *
         * @throws MalformedMessageException if it is another protocol's
         */
        public void onMessage(NodeId from, ProtocolMessage message, io.muninn.spi.Effects out) {
            if (!messages.isInstance(message)) {
                throw new MalformedMessageException(
                        message.codec().name() + " is about pages of another protocol");
            }
            protocol.onMessage(from, messages.cast(message), out);
        }
    }
}
