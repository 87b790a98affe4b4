package io.muninn.launch;

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
 */
record Variant(String label, String version, Optional<Protocol> protocol) {
    private static final String SEQUENTIAL = "seq";
    private static final String SHARED = "dsm";
    private static final String SHIPPED = "ship";

    /**
     * All variants of a program: its versions, and its shared memory under one protocol for all
     * regions.
     */
    static List<Variant> of(BuiltInProgram program) {
        List<Variant> all = new ArrayList<>();
        add(all, program, SEQUENTIAL, "sequential");
        add(all, program, "mp", "message passing");
        add(all, program, SHARED, "dsm, as annotated");
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

    private static void addOverrides(
            List<Variant> all, BuiltInProgram program, String version, String label) {
        if (!program.versions().contains(version)) {
            return;
        }
        for (Protocol protocol : ProtocolKind.ofEveryProgram()) {
            all.add(new Variant(label + protocol.word(), version, Optional.of(protocol)));
        }
    }

    /** The sequential version needs one node, regardless of the others. */
    int nodes(int others) {
        return version.equals(SEQUENTIAL) ? 1 : others;
    }
}
