package io.muninn.api.service;

/** What a node tracks of any lock that its threads hold. */
interface HeldLock {
    /** What it is, with its name, for messages. */
    String text();

    /** Its name in chains of shipped calls; equal for the two locks of a reader-writer lock. */
    String chainName();

    /** The number of holds of the calling thread. */
    int holdCount();

    /** Releases one of them. */
    void unlock();
}
