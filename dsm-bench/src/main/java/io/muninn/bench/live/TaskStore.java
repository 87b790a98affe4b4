package io.muninn.bench.live;

/** A queue of tasks that nodes use by remote calls. */
interface TaskStore {
    /** The oldest task; empty if there is none. */
    byte[] take();

    void put(byte[] task);
}
