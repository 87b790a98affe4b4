package io.muninn.launch.report;

import io.muninn.api.Protocol;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.coherence.ProtocolKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A version of a program, and an override of its protocols, as one line of a comparison.
 *
 * @param label text for readers
 * @param version as {@code --version} names it
 * @param protocol overrides every annotation
 * @param threads of each node
 * @param isPrefetching whether the program prefetches
 */
public record Variant(
        String label,
        String version,
        Optional<Protocol> protocol,
        int threads,
        boolean isPrefetching) {
    private static final String SEQUENTIAL = "seq";
    private static final String SHARED = "dsm";
    private static final String SHIPPED = "ship";

    /** Threads of each node that hide the latency of each other. */
    private static final List<Integer> THREADS = List.of(2, 4);

    /** As many threads and prefetches as a run has without options. */
    private Variant(String label, String version, Optional<Protocol> protocol) {
        this(label, version, protocol, 1, false);
    }

    /**
     * All variants of a program: its versions, its shared memory with prefetches and with more
     * threads, and under one protocol for all regions.
     */
    public static List<Variant> of(BuiltInProgram program) {
        List<Variant> all = new ArrayList<>();
        add(all, program, SEQUENTIAL, "sequential");
        add(all, program, "mp", "message passing");
        add(all, program, SHARED, "dsm, as annotated");
        if (program.hidesLatency()) {
            addHiding(all);
        }
        addOverrides(all, program, SHARED, "dsm, all ");
        add(all, program, SHIPPED, "shipping, as annotated");
        addOverrides(all, program, SHIPPED, "shipping, all ");
        return all;
    }

    private static void add(
            List<Variant> all, BuiltInProgram program, String version, String label) {
        if (program.versions().contains(version)) {
            all.add(new Variant(label, version, Optional.empty()));
        }
    }

    /** As Mowry, Chan and Lo compare them: P, nT and nTP. */
    private static void addHiding(List<Variant> all) {
        all.add(new Variant("dsm, prefetches", SHARED, Optional.empty(), 1, true));
        for (int threads : THREADS) {
            String label = "dsm, " + threads + " threads";
            all.add(new Variant(label, SHARED, Optional.empty(), threads, false));
            all.add(new Variant(label + ", prefetches", SHARED, Optional.empty(), threads, true));
        }
    }

    private static void addOverrides(
            List<Variant> all, BuiltInProgram program, String version, String label) {
        if (!program.versions().contains(version)) {
            return;
        }
        for (Protocol protocol : ProtocolKind.ofEveryProgram()) {
            all.add(new Variant(label + protocol.word(), version, Optional.of(protocol)));
        }
    }

    /** Options of a run. */
    public List<String> runOptions() {
        return threads == 1 ? List.of() : List.of("--threads", Integer.toString(threads));
    }

    /** Options of the program, after its others. */
    public List<String> programOptions() {
        List<String> options = new ArrayList<>(List.of("--version", version));
        if (isPrefetching) {
            options.addAll(List.of("--prefetch", "on"));
        }
        return List.copyOf(options);
    }

    /** The sequential version needs one node, regardless of the others. */
    public int nodes(int others) {
        return version.equals(SEQUENTIAL) ? 1 : others;
    }
}
