package io.muninn.bench.live;

import io.muninn.bench.series.Measured;
import io.muninn.bench.series.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Stores measurements in order. */
final class Recorder {
    private final Set<String> wanted;
    private final Set<String> excepted;
    private final List<Measured> all = new ArrayList<>();

    /**
     * @param wanted operations by name; all if it is empty
     * @param excepted operations to omit, by name
     */
    Recorder(List<String> wanted, List<String> excepted) {
        this.wanted = Set.copyOf(wanted);
        this.excepted = Set.copyOf(excepted);
    }

    /** Whether any of these operations is to be measured. The result is the same on all nodes. */
    boolean wants(String... names) {
        return Arrays.stream(names)
                .filter(name -> !excepted.contains(name))
                .anyMatch(name -> wanted.isEmpty() || wanted.contains(name));
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
