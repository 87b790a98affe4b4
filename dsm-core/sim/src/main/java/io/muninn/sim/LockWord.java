package io.muninn.sim;

/** The state of a lock's word in shared memory. */
public enum LockWord {
    ABSENT,
    FREE,
    HELD,
    WANTED
}
