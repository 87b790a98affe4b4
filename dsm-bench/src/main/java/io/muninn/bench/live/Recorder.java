package io.muninn.bench.live;

import java.util.ArrayList;
import java.util.List;

/** Keeps what was measured, in order. */
final class Recorder {
    private final List<Measured> all = new ArrayList<>();

    void add(Series series) {
        all.add(series.measured());
    }

    List<Measured> all() {
        return List.copyOf(all);
    }
}
