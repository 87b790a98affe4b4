package io.muninn.agent.calls;

import io.muninn.ipc.ControlMemory;
import io.muninn.kernel.port.LockWords;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.nativefault.BrokenMemoryException;
import io.muninn.spi.Event;
import io.muninn.spi.ViewMark;
import io.muninn.waits.Hold;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Lock words in the control memory. Each lock that the application opens has a slot. */
public final class LiveLockWords implements LockWords {
    private static final Hold.Mode[] MODES = Hold.Mode.values();

    private final ControlMemory control;
    private final int processes;
    private final Map<LockId, Integer> slots = new HashMap<>();
    private final Map<ReadWriteLockId, Integer> readWriteSlots = new HashMap<>();
    private final List<Optional<LockId>> locks = new ArrayList<>(); // by slot; empty: read-write
    private final List<String> names = new ArrayList<>(); // by slot

    /**
     * @param processes of the node
     */
    public LiveLockWords(ControlMemory control, int processes) {
        this.control = control;
        this.processes = processes;
    }

    /** Returns the slot of a lock's word; empty if all slots are taken. */
    OptionalInt open(LockId lock) {
        Integer known = slots.get(lock);
        if (known != null) {
            return OptionalInt.of(known);
        }
        OptionalInt slot = next(Optional.of(lock), lock.name());
        slot.ifPresent(at -> slots.put(lock, at));
        return slot;
    }

    /** Returns the slot of a reader-writer lock's word; empty if all slots are taken. */
    OptionalInt open(ReadWriteLockId lock) {
        Integer known = readWriteSlots.get(lock);
        if (known != null) {
            return OptionalInt.of(known);
        }
        OptionalInt slot = next(Optional.empty(), lock.name());
        slot.ifPresent(at -> readWriteSlots.put(lock, at));
        return slot;
    }

    private OptionalInt next(Optional<LockId> lock, String name) {
        if (locks.size() == ControlMemory.LOCKS_MAX) {
            return OptionalInt.empty();
        }
        locks.add(lock);
        names.add(name);
        return OptionalInt.of(locks.size() - 1);
    }

    /** The lock whose word has this slot; empty if no lock has, so that no thread can hold it. */
    public Optional<LockId> lock(int slot) {
        return slot < locks.size() ? locks.get(slot) : Optional.empty();
    }

    /** The locks that a thread of the node holds, see {@link ControlMemory#holds}. */
    public List<Hold> holds(int thread) {
        List<Hold> found = new ArrayList<>();
        for (ControlMemory.Held held : control.holds(thread)) {
            boolean isKnown = held.slot() < names.size() && held.mode() < MODES.length;
            if (isKnown) { // nobody else writes there, but the memory is not trusted
                found.add(new Hold(MODES[held.mode()], names.get(held.slot())));
            }
        }
        return found;
    }

    private static <L> int slot(Map<L, Integer> slots, L lock) {
        Integer slot = slots.get(lock);
        if (slot == null) {
            throw new IllegalStateException("lock '" + lock + "' has no word on this node");
        }
        return slot;
    }

    @Override
    public Event.LockReclaimed reclaim(LockId lock) {
        int slot = slot(slots, lock);
        boolean isTaken = reclaim(slot);
        MappingId releaser = control.lockMark(slot).of();
        if (releaser.index() >= processes) {
            throw new BrokenMemoryException(
                    "lock '" + lock + "' was released by process " + releaser + " of " + processes);
        }
        return new Event.LockReclaimed(lock, isTaken, releaser);
    }

    private boolean reclaim(int slot) {
        while (true) {
            if (control.changeLock(slot, ControlMemory.FREE, ControlMemory.ABSENT)) {
                return true;
            }
            if (control.changeLock(slot, ControlMemory.HELD, ControlMemory.WANTED)) {
                return false; // the word may change between the two attempts, a few times at most
            }
        }
    }

    @Override
    public void mark(LockId lock, ViewMark mark) {
        control.lockMark(slot(slots, lock), mark);
    }

    @Override
    public void admit(ReadWriteLockId lock, int count, boolean isOpen, ViewMark mark) {
        int slot = slot(readWriteSlots, lock);
        if (processes > 1) {
            control.lockMark(slot, mark);
        }
        control.admitReaders(slot, count, isOpen);
    }

    @Override
    public Event.ReadersClosed close(ReadWriteLockId lock) {
        return new Event.ReadersClosed(lock, control.closeReaders(slot(readWriteSlots, lock)));
    }

    @Override
    public void covers(MappingId reader, ViewMark mark) {
        control.setCovered(reader, mark);
    }

    @Override
    public void lend(LockId lock, boolean held, boolean wanted) {
        int lent = held ? ControlMemory.HELD : ControlMemory.FREE;
        control.setLock(slot(slots, lock), wanted ? ControlMemory.WANTED : lent);
    }

    @Override
    public void watchReleases() {
        control.watchReleases();
    }
}
