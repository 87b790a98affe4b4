package io.muninn.coherence;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.homebased.HomeBased;
import io.muninn.coherence.homebased.HomeBasedMessages;
import io.muninn.coherence.homebased.HomeBasedTraits;
import io.muninn.coherence.homebased.HomeBasedViews;
import io.muninn.coherence.invalidate.Conventional;
import io.muninn.coherence.invalidate.PipelinedInvalidate;
import io.muninn.coherence.lazy.Hybrid;
import io.muninn.coherence.lazy.Lazy;
import io.muninn.coherence.lazy.LazyMessages;
import io.muninn.coherence.migratory.Migratory;
import io.muninn.coherence.readonly.ReadOnly;
import io.muninn.coherence.singlewriter.SingleWriter;
import io.muninn.coherence.singlewriter.SingleWriterMessages;
import io.muninn.coherence.weak.PooledWeak;
import io.muninn.coherence.weak.Weak;
import io.muninn.coherence.weak.WeakMessages;
import io.muninn.coherence.weak.WeakTraits;
import io.muninn.coherence.writeshared.WriteShared;
import io.muninn.coherence.writeshared.WriteSharedMessages;
import io.muninn.coherence.writeshared.WriteSharedTraits;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.NodeId;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Context;
import io.muninn.spi.LazyWriters;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.Views;
import io.muninn.wire.Codec;
import io.muninn.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The registry: one entry per protocol, and per variant of a protocol that the options of a run may
 * select.
 */
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
    /** A variant: it serves nodes of several processes with a view each. */
    HOME_BASED_VIEWS(
            Protocol.HOME_BASED,
            HomeBasedTraits.OF_VIEWS,
            HomeBasedViews.class,
            HomeBasedMessages.Msg.class,
            HomeBasedViews::new,
            List.of(), // its messages are those of HomeBased
            Optional.of(rules ->
                    rules.views() == Views.OF_NODE ? rules.withViews(Views.TAKING) : rules)),
    LAZY(Protocol.LAZY, Lazy.TRAITS, Lazy.class, LazyMessages.Msg.class, Lazy::new, Lazy.CODECS),
    HYBRID(
            Protocol.HYBRID,
            Hybrid.TRAITS,
            Hybrid.class,
            LazyMessages.Msg.class,
            Hybrid::new,
            Hybrid.CODECS), // in addition to those of Lazy
    /** A variant: it serves the annotation LAZY in runs with a single writer of lazy pages. */
    SINGLE_WRITER(
            Protocol.LAZY,
            SingleWriter.TRAITS,
            SingleWriter.class,
            SingleWriterMessages.Msg.class,
            SingleWriter::new,
            SingleWriter.CODECS,
            Optional.of(rules -> rules.withLazyWriters(LazyWriters.SINGLE))),
    WEAK(
            Protocol.WEAK,
            WeakTraits.TRAITS,
            Weak.class,
            WeakMessages.Msg.class,
            Weak::new,
            Weak.CODECS),
    /** A variant: it serves the annotation WEAK in runs with pools of memory. */
    WEAK_POOL(
            Protocol.WEAK,
            WeakTraits.OF_POOL,
            PooledWeak.class,
            WeakMessages.Msg.class,
            PooledWeak::new,
            List.of(), // those of Weak
            Optional.of(rules -> rules.withWeak(rules.weak().pooled())));

    private static final EnumMap<Protocol, ProtocolKind> USUAL = new EnumMap<>(Protocol.class);
    private static final List<ProtocolKind> VARIANTS = new ArrayList<>();

    static {
        for (ProtocolKind kind : values()) {
            if (kind.isVariant()) {
                VARIANTS.add(kind);
            } else {
                USUAL.put(kind.protocol, kind);
            }
        }
    }

    private final Protocol protocol;
    private final Optional<UnaryOperator<UpdateRules>> option; // selects a variant
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
        this(protocol, traits, implementation, messages, factory, codecs, Optional.empty());
    }

    /**
     * @param option of a variant: changes rules to those of a run in which the variant replaces the
     *     usual entry
     */
    <M extends ProtocolMessage, P extends CoherenceProtocol<M>> ProtocolKind(
            Protocol protocol,
            ProtocolTraits traits,
            Class<P> implementation,
            Class<M> messages,
            Function<Context, P> factory,
            List<Codec<?>> codecs,
            Optional<UnaryOperator<UpdateRules>> option) {
        this.protocol = protocol;
        this.option = option;
        this.traits = traits;
        this.implementation = implementation;
        this.factory = new Factory<>(messages, factory);
        this.codecs = codecs;
    }

    /** The entry that serves a protocol in runs with such rules. */
    public static ProtocolKind of(Protocol protocol, UpdateRules rules) {
        for (ProtocolKind variant : VARIANTS) {
            if (variant.protocol == protocol && variant.rules(rules).equals(rules)) {
                return variant;
            }
        }
        return of(protocol);
    }

    /** The entry of a protocol in a run without options. */
    public static ProtocolKind of(Protocol protocol) {
        ProtocolKind kind = USUAL.get(protocol);
        if (kind == null) {
            throw new IllegalArgumentException("protocol " + protocol + " is not registered");
        }
        return kind;
    }

    /**
     * The home of a page: under a protocol with homes the one that this node knows, otherwise the
     * one that the policy of its region assigns.
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

    /** Its name in reports: the name of the protocol, unless it is a variant. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The rules of a run that this entry serves: {@code like}, but for the entry's own option. */
    public UpdateRules rules(UpdateRules like) {
        return option.map(choose -> choose.apply(like)).orElse(like);
    }

    /** True if it serves its protocol only in runs that select it. */
    public boolean isVariant() {
        return option.isPresent();
    }

    /** True if it serves only nodes of several processes. */
    public boolean needsProcesses() {
        return traits.has(Trait.VIEWS);
    }

    /** The contract, for code that works with every protocol. */
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
     * The protocols under which a program is correct regardless of its annotations, if acquires and
     * releases order its accesses. The others have preconditions.
     */
    public static List<Protocol> ofEveryProgram() {
        return USUAL.values().stream()
                .filter(kind -> !kind.protocol.isSealed() && !kind.traits.has(Trait.ONE_COPY))
                .map(ProtocolKind::protocol)
                .toList();
    }

    /** The protocols whose contract has such a trait. */
    public static List<Protocol> with(Trait trait) {
        return USUAL.values().stream()
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
         * Passes a message from outside to the protocol.
         *
         * @throws MalformedMessageException if it belongs to another protocol
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
