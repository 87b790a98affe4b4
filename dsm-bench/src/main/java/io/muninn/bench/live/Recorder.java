package io.muninn.bench.live;

import io.muninn.bench.series.Measured;
import io.muninn.bench.series.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Keeps what was measured, in order. */
final class Recorder {
    private final Set<String> wanted;
    private final List<Measured> all = new ArrayList<>();

    /**
     * @param wanted operations by name; all if it is empty
     */
    Recorder(List<String> wanted) {
        this.wanted = Set.copyOf(wanted);
    }

    /** Whether any of these is to be measured: on all nodes alike. */
    boolean wants(String... names) {
        return wanted.isEmpty() || Arrays.stream(names).anyMatch(wanted::contains);
    }

    void add(Series series) {
        all.add(series.measured());
    }

    void add(Series series, Measured.Cpu cpu) {
        all.add(series.measured().with(cpu));
    }

    List<Measured> all() {
        return List.copyOf(all);
    }
}
