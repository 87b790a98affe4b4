package io.muninn.bench.live;

import io.muninn.api.DsmProgram;
import io.muninn.api.RemoteLongs;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import io.muninn.bench.series.Effort;
import io.muninn.model.NodeId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The entry of {@link BenchProgram} in the list of programs. */
public final class Bench implements BuiltInProgram {
    /** The program's name for {@code dsm run}. */
    public static final String NAME = "bench";

    private static final int[] TASK_BYTES = {16, 64, 256, 1024, 4096, 16_384, 65_536};
    private static final int PROCESSES_MAX = 16;
    private static final int[] FEW_TASK_BYTES = {16, 1024, 65_536};

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "times single operations, for dsm bench";
    }

    @Override
    public String usage() {
        return """
        --results FILE   where the root writes what it measured
        --sections LIST  of faults, releases, locks, acquires, prefetches, barriers, processes,
                         remotes, pool, shipping (all)
        --operations LIST  of the sections these, by the names of their results (all)
        --except LIST    not these operations (none)
        --samples N      of an operation that takes microseconds, 100 to 1000000 (5000)
        --warm-up-millis N  longest warm-up of an operation, 1 to 600000 (45000)
        --processes P    as of dsm run: processes of each node, 1 to 16 (1)
        --few-sizes      shipping: three sizes of tasks instead of seven
        --version V      dsm (dsm)
        """;
    }

    @Override
    public List<String> versions() {
        return List.of("dsm");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options =
                Options.parse(
                        words,
                        "results=",
                        "sections=",
                        "operations=",
                        "except=",
                        "samples=",
                        "warm-up-millis=",
                        "processes=",
                        "few-sizes",
                        "version=");
        options.choice("version", versions());
        Path results =
                Path.of(
                        options.text("results")
                                .orElseThrow(() ->
                                        new IllegalArgumentException(
                                                "option --results is needed")));
        int samples = options.integer("samples", 5000, 100, 1_000_000);
        int warmUpMillis = options.integer("warm-up-millis", 45_000, 1, 600_000);
        Recorder recorder = new Recorder(list(options, "operations"), list(options, "except"));
        Effort effort = new Effort(samples, TimeUnit.MILLISECONDS.toNanos(warmUpMillis));
        RemoteLongs remotes = RemoteLongs.of(NodeId.LIVE_MAX * PageOrder.PAGE_ELEMENTS);
        List<Section> sections = sections(options, remotes);
        return new BenchProgram(remotes, sections, recorder, effort, results);
    }

    private static List<String> list(Options options, String name) {
        return options.text(name).map(text -> List.of(text.split(","))).orElse(List.of());
    }

    private static List<Section> sections(Options options, RemoteLongs remotes) {
        List<Section> all =
                List.of(
                        new Faults(),
                        new ReleasedPages(),
                        new Locks(),
                        new Acquires(),
                        new Prefetches(),
                        new BarrierTimes(),
                        new Siblings(options.integer("processes", 1, 1, PROCESSES_MAX)),
                        new Remotes(remotes),
                        new PooledFaults(),
                        new Shipping(
                                options.flag("few-sizes") ? FEW_TASK_BYTES : TASK_BYTES, remotes));
        List<String> names = all.stream().map(Section::name).toList();
        List<String> chosen =
                options.text("sections").map(text -> Arrays.asList(text.split(","))).orElse(names);
        List<Section> sections = new ArrayList<>();
        for (String name : chosen) {
            int index = names.indexOf(name);
            if (index < 0) {
                throw new IllegalArgumentException(
                        "option --sections: '" + name + "' is none of " + String.join(", ", names));
            }
            sections.add(all.get(index));
        }
        return sections;
    }
}
