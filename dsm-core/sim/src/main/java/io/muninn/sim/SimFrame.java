package io.muninn.sim;

import io.muninn.diff.Diff;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One page: its bytes, whether they are valid, and the access of the node's threads. */
final class SimFrame {
    final MemorySegment memory;
    boolean present;
    PageAccess access = PageAccess.NONE; // of the node; no process has more
    final PageAccess[] own; // by process, if there are several
    int trapOf; // the process of the trap that made the twin
    int barred; // processes from which it was withdrawn: only what names them gives it, as bits
    int leaving; // processes from which it is being withdrawn, as bits
    @Nullable MemorySegment twin; // null while there is none
    boolean isOfTrap; // a thread's trap has made the twin, and threads may store
    boolean wasProtected; // in this step, and not compared since
    boolean poisoned;
    int withdrawals; // under way
    PageAccess afterwards = PageAccess.NONE; // access after the withdrawals
    boolean wakesAfterwards;
    boolean isOffered; // traps may enter the absent page
    boolean isEntering; // a trap has entered it in the map, and has not copied the frame

    SimFrame(MemorySegment memory, int processes) {
        this.memory = memory;
        own = new PageAccess[processes > 1 ? processes : 0];
        Arrays.fill(own, PageAccess.NONE);
    }

    private static int bit(MappingId of) {
        return 1 << of.index();
    }

    /** True while the page is being withdrawn from a process alone. */
    boolean isLeaving(MappingId of) {
        return (leaving & bit(of)) != 0;
    }

    void leaving(MappingId of, boolean isLeaving) {
        leaving = isLeaving ? leaving | bit(of) : leaving & ~bit(of);
    }

    /** Takes the page from a process alone. */
    void leave(MappingId of) {
        leaving(of, false);
        barred |= bit(of);
        own[of.index()] = PageAccess.NONE;
        isOfTrap &= trapOf != of.index();
    }

    void unbar(MappingId of) {
        barred &= ~bit(of);
    }

    /** Gives a process the access of the node, unless the page was withdrawn from it alone. */
    void giveUnlessBarred(MappingId of) {
        if ((barred & bit(of)) == 0) {
            own[of.index()] = access;
        }
    }

    /** Takes from each process the access that the node no longer has. */
    void limitProcesses() {
        for (int i = 0; i < own.length; i++) {
            if (own[i].compareTo(access) > 0) {
                own[i] = access;
            }
        }
    }

    /** Makes an image the content of a page that has none. */
    void install(MemorySegment image) {
        put(image);
        present = true;
        barred = 0;
    }

    /** A trap of a process has entered the page. */
    void entered(MappingId by) {
        isEntering = false;
        if (own.length > 0) {
            own[by.index()] = access;
        }
    }

    /** Makes a page without content one of zeros. */
    void fill() {
        memory.fill((byte) 0);
        present = true;
    }

    /**
     * The diff from the twin to an image.
     *
     * @param image empty for zeros
     */
    MemorySegment newsOf(MemorySegment image, int granuleBytes) {
        MemorySegment old = existingTwin();
        MemorySegment whole = MemorySegment.ofArray(new long[(int) old.byteSize() >> 3]);
        whole.asSlice(0, image.byteSize()).copyFrom(image);
        return MemorySegment.ofArray(Diff.of(whole, old, granuleBytes).bytes());
    }

    /** The twin of a frame that has one. */
    MemorySegment existingTwin() {
        if (twin == null) {
            throw new IllegalStateException("a frame without a twin");
        }
        return twin;
    }

    /**
     * Applies a diff to the page and its twin.
     *
     * @return granules that a store of this node had also changed
     */
    int apply(MemorySegment diff, int granuleBytes) {
        return twin == null
                ? Diff.apply(diff, memory, granuleBytes)
                : Diff.apply(diff, memory, twin, granuleBytes);
    }

    /**
     * Replaces the content of a page without a twin.
     *
     * @param image empty for zeros
     */
    void put(MemorySegment image) {
        memory.asSlice(image.byteSize()).fill((byte) 0);
        memory.asSlice(0, image.byteSize()).copyFrom(image);
    }

    /** Whether a trap has made the twin. */
    boolean isTrapped() {
        return isOfTrap && twin != null;
    }

    /** Reads bytes for the page's home, and records them in the twin as sent. */
    byte[] take(int offset, int bytes) {
        MemorySegment stores = memory.asSlice(offset, bytes);
        existingTwin().asSlice(offset, bytes).copyFrom(stores);
        return stores.toArray(ValueLayout.JAVA_BYTE);
    }

    /** Stores bytes to the page and to its twin, if there is one. */
    void put(int offset, byte[] bytes) {
        MemorySegment stores = MemorySegment.ofArray(bytes);
        memory.asSlice(offset, bytes.length).copyFrom(stores);
        if (twin != null) {
            twin.asSlice(offset, bytes.length).copyFrom(stores);
        }
    }

    /**
     * The value that a thread has stored to a granule since the twin was made; empty if none has.
     */
    OptionalLong localStore(int offset, int granuleBytes) {
        if (twin == null) {
            return OptionalLong.empty();
        }
        long here = Diff.value(memory, offset, granuleBytes);
        return here == Diff.value(twin, offset, granuleBytes)
                ? OptionalLong.empty()
                : OptionalLong.of(here);
    }
}
