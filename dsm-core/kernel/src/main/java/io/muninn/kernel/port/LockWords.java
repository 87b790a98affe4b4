package io.muninn.kernel.port;

import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Event;
import io.muninn.spi.ViewMark;

/**
 * The words in shared memory by which the application takes and frees a lent lock, and by which
 * readers enter and leave a reader-writer lock.
 */
public interface LockWords {
    /**
     * Takes a lent lock back if it is free; otherwise marks it as wanted. The result names the
     * process that has held it last.
     */
    Event.LockReclaimed reclaim(LockId lock);

    void lend(LockId lock, boolean held, boolean wanted);

    /** Marks a lock that is about to be lent free, on a node with several processes. */
    void mark(LockId lock, ViewMark mark);

    /**
     * Adds readers to the word of a reader-writer lock, and opens it or leaves it as it is.
     *
     * @param mark written before; of use on a node with several processes
     */
    void admit(ReadWriteLockId lock, int count, boolean isOpen, ViewMark mark);

    /** Closes the word of a reader-writer lock; the result has the number of readers inside. */
    Event.ReadersClosed close(ReadWriteLockId lock);

    /** Publishes to the application that the view of a process covers another view. */
    void covers(MappingId reader, ViewMark mark);

    /** Requests a notification of the application's next release. */
    void watchReleases();
}
