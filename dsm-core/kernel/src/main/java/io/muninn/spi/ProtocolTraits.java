package io.muninn.spi;

import io.muninn.model.PageAccess;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The contract of a coherence protocol, for code that works with every protocol: its guarantees for
 * its regions, and for a page in each of its states. It describes the protocol and does not change
 * its behaviour.
 *
 * <p>Immutable.
 */
public final class ProtocolTraits {
    /** The values that loads may return. */
    public enum MemoryModel {
        /** The value of the last store in one order of all loads and stores. */
        SEQUENTIAL_CONSISTENCY,
        /**
         * Also an overwritten value, if no acquire has made the overwriting store visible to the
         * thread.
         */
        RELEASE_CONSISTENCY
    }

    /** Other properties of every page. */
    public enum Trait {
        /**
         * While threads of a node may store to a page, those of other nodes may not. They may load
         * only from copies whose end the storing node awaits, or that acquires end.
         */
        ONE_WRITER,
        /** The content of a page is on one node, or in transit to one. */
        ONE_COPY,
        /**
         * The only copy of a page is sent together with the lock within whose sections it is used.
         */
        TRAVELS_WITH_LOCKS,
        /**
         * The stores of an interval are found by a comparison with a twin, which the trap of the
         * storing thread may make.
         */
        TWINS,
        /** A page that is stored to in every interval keeps its twin over releases. */
        ADAPTIVE_TWINS,
        /** A page just obtained remains on its node for the hold time. */
        HELD,
        /** Every request for a page is sent to the root. */
        ROOT_ANSWERS,
        /** Faults on consecutive pages start read-ahead where the run allows it. */
        READS_AHEAD,
        /**
         * A copy may lack stores that were released, until an acquire that follows the release
         * withdraws the access to it.
         */
        ACQUIRES_INVALIDATE,
        /**
         * Diffs remain on the nodes that made or applied them, for nodes that request them. A
         * release makes none: a page keeps its twin until its diff is requested.
         */
        KEEPS_DIFFS,
        /** Diffs are sent before barriers to nodes that have requested such diffs before. */
        PUSHES,
        /** A run that checks for races detects races of its elements. */
        FINDS_RACES,
        /**
         * On a node with several processes, an acquire withdraws access from the acquiring process
         * only.
         */
        VIEWS,
        /** Each page has a home, assigned by the policy of its region. */
        HOMES,
        /**
         * A release is performed when every node whose copy lacks its stores has a notice, or will
         * ask for one at its next acquire.
         */
        POSTS_NOTICES,
        /**
         * The content of pages is in memory that all nodes address. No message is about them, and
         * threads may enter absent pages in their own traps.
         */
        POOLED
    }

    /** Properties of a page in some state, besides the access that the state grants. */
    public enum Mark {
        /** Requests are answered here, or deferred until they can be answered. */
        ANSWERS,
        /** Threads that stopped at the page wait for other nodes. */
        THREADS_WAIT,
        /** Threads that stopped at the page wait for the end of a flush of this node. */
        AWAITS_FLUSH,
        /** Acknowledgements of invalidations are missing. */
        AWAITS_ACKS,
        /** The access is being withdrawn; threads that stopped at the page wait for that. */
        AWAITS_WITHDRAWAL,
        /** Threads that stopped at the page wait for stores of other nodes. */
        AWAITS_UPDATES,
        /**
         * All released stores arrive at the page here. Its threads store to it in place; an image
         * may contain stores that they have not released.
         */
        WHOLE,
        /** There is a twin; no page in a state without this mark has one. */
        TWIN
    }

    /**
     * The contract of a state.
     *
     * @param name as in {@link io.muninn.directory.PageSnapshot#state} and in the state × event
     *     table of the protocol
     * @param access the largest access that threads may have
     */
    public record State(String name, PageAccess access, Set<Mark> marks) {
        public boolean is(Mark mark) {
            return marks.contains(mark);
        }
    }

    private final MemoryModel memoryModel;
    private final EnumSet<Trait> traits;
    private final Map<String, State> states; // by name, in the order of the table

    private ProtocolTraits(
            MemoryModel memoryModel, EnumSet<Trait> traits, Map<String, State> states) {
        this.memoryModel = memoryModel;
        this.traits = traits;
        this.states = states;
    }

    /** Traits of a protocol without states. */
    public static ProtocolTraits of(MemoryModel memoryModel, Trait... traits) {
        EnumSet<Trait> all = EnumSet.noneOf(Trait.class);
        all.addAll(Arrays.asList(traits));
        return new ProtocolTraits(memoryModel, all, Collections.emptyMap());
    }

    /** These traits and one more. */
    public ProtocolTraits with(Trait trait) {
        EnumSet<Trait> more = EnumSet.copyOf(traits);
        more.add(trait);
        return new ProtocolTraits(memoryModel, more, states);
    }

    /** These traits with one more state. */
    public ProtocolTraits state(String name, PageAccess access, Mark... marks) {
        EnumSet<Mark> all = EnumSet.noneOf(Mark.class);
        all.addAll(Arrays.asList(marks));
        Map<String, State> more = new LinkedHashMap<>(states);
        if (more.put(name, new State(name, access, Collections.unmodifiableSet(all))) != null) {
            throw new IllegalArgumentException("state " + name + " is there twice");
        }
        return new ProtocolTraits(memoryModel, traits, more);
    }

    public MemoryModel memoryModel() {
        return memoryModel;
    }

    public boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /** Every state, in the order of the protocol's state × event table. */
    public Collection<State> states() {
        return Collections.unmodifiableCollection(states.values());
    }

    /**
     * @throws IllegalArgumentException if the protocol has no such state
     */
    public State state(String name) {
        State state = states.get(name);
        if (state == null) {
            throw new IllegalArgumentException("no state " + name + " in " + states.keySet());
        }
        return state;
    }
}
