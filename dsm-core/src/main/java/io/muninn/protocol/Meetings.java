package io.muninn.protocol;

import io.muninn.model.BarrierId;

/** Barriers of our own, at which nodes meet before and after the program. */
public final class Meetings {
    /** One party of each node: the root has initialized. */
    public static final BarrierId START = new BarrierId("muninn.start");

    /** All threads: the program has ended on each. */
    public static final BarrierId END = new BarrierId("muninn.end");

    /** One party of each node that runs its threads by itself: its program has ended. */
    public static final BarrierId FINISH = new BarrierId("muninn.finish");

    private Meetings() {}
}
