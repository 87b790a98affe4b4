package io.muninn.kernel.port;

import io.muninn.model.PageId;

/** What ends a run. */
public interface RunControl {
    /** The program did what it must not; every node ends. */
    void failRun(String reason);

    /**
     * Two nodes have stored to one element at the same time. Called once for each element, on the
     * root, in runs that look for races.
     *
     * @param offset in the page, in bytes
     */
    default void raceFound(PageId page, int offset, String text) {
        throw new IllegalStateException("nobody looks for races: " + text);
    }
}
