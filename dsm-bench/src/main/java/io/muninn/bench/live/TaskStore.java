package io.muninn.bench.live;

/** A queue of tasks that travels by calls. */
interface TaskStore {
    /** The oldest task; empty if there is none. */
    byte[] take();

    void put(byte[] task);
}
