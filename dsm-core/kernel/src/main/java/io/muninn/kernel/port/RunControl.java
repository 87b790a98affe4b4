package io.muninn.kernel.port;

import io.muninn.model.PageId;

/** Ends the run or reports errors of its program. */
public interface RunControl {
    /** Ends the run on every node, because the program has made an error. */
    void failRun(String reason);

    /**
     * Reports that two nodes have stored to one element at the same time, or that one has loaded it
     * and the other stored to it. Called once for each element, on the root, in runs that check for
     * races; for an element with a possible race, perhaps once more when it is certain.
     *
     * @param offset in the page, in bytes
     * @param isCertain false if there may be no race
     */
    default void raceFound(PageId page, int offset, String text, boolean isCertain) {
        throw new IllegalStateException("nobody looks for races: " + text);
    }
}
