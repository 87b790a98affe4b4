package io.muninn.sim;

import io.muninn.kernel.port.LockWords;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Event;
import io.muninn.spi.ViewMark;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The words of one node's locks, the views of their last holders, and which view covers which: what
 * processes share with their agent.
 */
public final class SimLockWords implements LockWords {
    private final SimNode node;
    private final Map<LockId, LockWord> words = new LinkedHashMap<>();
    private final Map<LockId, ViewMark> marks = new LinkedHashMap<>(); // of the last holders
    private final Map<ReadWriteLockId, Readers> readers = new LinkedHashMap<>();
    private final long[][] covered; // numbers of views: by reader, then by process and of all
    private boolean watched;

    /** The word of a reader-writer lock. */
    private static final class Readers {
        int count;
        boolean isOpen;
        ViewMark mark = ViewMark.NOTHING;
    }

    SimLockWords(SimNode node, int processes) {
        this.node = node;
        this.covered = new long[processes][processes + 1];
    }

    LockWord word(LockId lock) {
        return words.getOrDefault(lock, LockWord.ABSENT);
    }

    /** Takes a lent lock as an application does, without a call. */
    boolean take(LockId lock) {
        return words.replace(lock, LockWord.FREE, LockWord.HELD);
    }

    /** The process that has held a lock last, and its view then. */
    private ViewMark mark(LockId lock) {
        return marks.getOrDefault(lock, ViewMark.NOTHING);
    }

    /**
     * The call by which a thread acquires a lock that it has taken, if its process has seen less
     * than the last holder's.
     */
    Optional<Event.LocalAcquireCalled> localAcquire(LockId lock, SimThread holder) {
        ViewMark mark = mark(lock);
        return covered[holder.process().index()][place(mark.of())] >= mark.number()
                ? Optional.empty()
                : Optional.of(new Event.LocalAcquireCalled(holder.id(), lock, mark.of()));
    }

    private int place(MappingId of) {
        return of.equals(MappingId.ALL) ? covered.length : of.index();
    }

    /** Frees a lock that a thread of this node holds. */
    void free(LockId lock, SimThread holder) {
        int process = holder.process().index();
        marks.put(lock, new ViewMark(holder.process(), covered[process][process]));
        if (covered.length > 1) {
            node.goOn(); // the mark is written before the word, and other threads run in between
        }
        if (!words.replace(lock, LockWord.HELD, LockWord.FREE)) {
            checkWord(word(lock) == LockWord.WANTED, lock, "freed, but not held");
            words.put(lock, LockWord.ABSENT);
            holder.post(new Event.ReleaseCalled(holder.process(), lock));
        }
        if (watched) {
            watched = false;
            holder.post(new Event.ReleaseNoticed());
        }
    }

    @Override
    public Event.LockReclaimed reclaim(LockId lock) {
        node.goOn();
        if (words.replace(lock, LockWord.FREE, LockWord.ABSENT)) {
            return new Event.LockReclaimed(lock, true, mark(lock).of());
        }
        checkWord(word(lock) == LockWord.HELD, lock, "reclaimed, but not lent");
        words.put(lock, LockWord.WANTED);
        return new Event.LockReclaimed(lock, false, mark(lock).of());
    }

    @Override
    public void mark(LockId lock, ViewMark mark) {
        marks.put(lock, mark);
    }

    @Override
    public void covers(MappingId reader, ViewMark mark) {
        covered[reader.index()][place(mark.of())] = mark.number();
    }

    @Override
    public void lend(LockId lock, boolean held, boolean wanted) {
        checkWord(word(lock) == LockWord.ABSENT, lock, "lent twice");
        LockWord taken = wanted ? LockWord.WANTED : LockWord.HELD;
        words.put(lock, held ? taken : LockWord.FREE);
    }

    private void checkWord(boolean condition, LockId lock, String otherwise) {
        if (!condition) {
            throw new Violation(
                    "lock words",
                    "node "
                            + node.id()
                            + " lock '"
                            + lock
                            + "' is "
                            + word(lock)
                            + ": "
                            + otherwise);
        }
    }

    private Readers readers(ReadWriteLockId lock) {
        return readers.computeIfAbsent(lock, _ -> new Readers());
    }

    /** The number of readers in the word of a reader-writer lock. */
    public int count(ReadWriteLockId lock) {
        return readers(lock).count;
    }

    /** Whether readers may enter. */
    public boolean isOpen(ReadWriteLockId lock) {
        return readers(lock).isOpen;
    }

    /** Lets a thread read, if the word is open. */
    boolean enter(ReadWriteLockId lock) {
        Readers word = readers(lock);
        word.count += word.isOpen ? 1 : 0;
        return word.isOpen;
    }

    /**
     * The call by which a thread reads after it has entered, if its process has seen less than the
     * mark demands.
     */
    Optional<Event.LocalReadCalled> localRead(ReadWriteLockId lock, SimThread reader) {
        ViewMark mark = readers(lock).mark;
        return covered[reader.process().index()][place(mark.of())] >= mark.number()
                ? Optional.empty()
                : Optional.of(new Event.LocalReadCalled(reader.id(), lock));
    }

    /** Ends reading of a thread; true if it was the last reader in a closed word. */
    boolean leave(ReadWriteLockId lock) {
        Readers word = readers(lock);
        if (word.count == 0) {
            throw new Violation(
                    "lock words", "node " + node.id() + " lock '" + lock + "' has no readers");
        }
        word.count--;
        return word.count == 0 && !word.isOpen;
    }

    /** Makes a thread that writes a reader, too. */
    void alsoRead(ReadWriteLockId lock) {
        readers(lock).count++;
    }

    @Override
    public void admit(ReadWriteLockId lock, int count, boolean isOpen, ViewMark mark) {
        Readers word = readers(lock);
        word.mark = mark;
        word.count += count;
        word.isOpen |= isOpen;
    }

    @Override
    public Event.ReadersClosed close(ReadWriteLockId lock) {
        node.goOn();
        Readers word = readers(lock);
        word.isOpen = false;
        return new Event.ReadersClosed(lock, word.count);
    }

    @Override
    public void watchReleases() {
        watched = true;
    }
}
