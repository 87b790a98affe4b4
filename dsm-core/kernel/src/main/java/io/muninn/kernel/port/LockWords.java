package io.muninn.kernel.port;

import io.muninn.model.LockId;

/** The words in shared memory by which the application takes and frees a lent lock. */
public interface LockWords {
    /**
     * Takes a lent lock back if it is free; otherwise marks it as wanted.
     *
     * @return true if it was free
     */
    boolean reclaim(LockId lock);

    void lend(LockId lock, boolean held, boolean wanted);

    /** Requests a notification of the application's next release. */
    void watchReleases();
}
