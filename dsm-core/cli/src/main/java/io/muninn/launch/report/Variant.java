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
 * @param isAlone whether it runs on one node, regardless of the others
 */
public record Variant(
        String label,
        String version,
        Optional<Protocol> protocol,
        int threads,
        boolean isPrefetching,
        boolean isAlone) {
    /** The version of a program that has no others. */
    private static final String NONE = "";

    private static final String SEQUENTIAL = "seq";
    private static final String SHARED = "dsm";
    private static final String SHIPPED = "ship";

    /** Threads of each node that hide the latency of each other. */
    private static final List<Integer> THREADS = List.of(2, 4);

    /** As many threads and prefetches as a run has without options. */
    private Variant(String label, String version, Optional<Protocol> protocol) {
        this(label, version, protocol, 1, false, version.equals(SEQUENTIAL));
    }

    /**
     * All variants of a program: its versions, its shared memory with prefetches and with more
     * threads, and under one protocol for all regions. A program without versions runs on one node
     * in place of a sequential version.
     */
    public static List<Variant> of(BuiltInProgram program) {
        List<Variant> all = new ArrayList<>();
        if (program.versions().contains(NONE)) {
            all.add(new Variant("one node", NONE, Optional.empty(), 1, false, true));
            add(all, program, NONE, "as annotated");
            addOverrides(all, program, NONE, "all ");
            return all;
        }
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
        all.add(new Variant("dsm, prefetches", SHARED, Optional.empty(), 1, true, false));
        for (int threads : THREADS) {
            String label = "dsm, " + threads + " threads";
            all.add(new Variant(label, SHARED, Optional.empty(), threads, false, false));
            all.add(
                    new Variant(
                            label + ", prefetches",
                            SHARED,
                            Optional.empty(),
                            threads,
                            true,
                            false));
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
        List<String> options = new ArrayList<>();
        if (!version.equals(NONE)) {
            options.addAll(List.of("--version", version));
        }
        if (isPrefetching) {
            options.addAll(List.of("--prefetch", "on"));
        }
        return List.copyOf(options);
    }

    /** Number of nodes of a run. */
    public int nodes(int others) {
        return isAlone ? 1 : others;
    }
}
