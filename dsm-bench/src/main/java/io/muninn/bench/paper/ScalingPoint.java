package io.muninn.bench.paper;

import io.muninn.coherence.ProtocolKind;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of the study of many nodes: each node has the same part of a grid, whatever their number.
 *
 * @param kind the protocol of all variables, or its variant
 * @param nodes a power of 4
 */
record ScalingPoint(Program program, ProtocolKind kind, int nodes) {
    /** Machine pages of the grid for each node, of elements of 8 bytes. */
    static final int PAGES_OF_NODE = 8;

    private static final int ELEMENTS_OF_PAGE = 512;

    /** The programs, which average neighbours in a grid and meet at barriers. */
    enum Program {
        /** A band of 8 rows, a page each, whatever the number of nodes. */
        DIFF("diff", "--sweeps") {
            @Override
            List<String> size(int nodes) {
                return List.of(
                        "--rows", Integer.toString(PAGES_OF_NODE * nodes),
                        "--columns", Integer.toString(ELEMENTS_OF_PAGE));
            }
        },
        /** A square of as many elements for each node, so rows become fewer and longer. */
        JACOBI("jacobi", "--steps") {
            @Override
            List<String> size(int nodes) {
                int side = (int) Math.sqrt((double) PAGES_OF_NODE * ELEMENTS_OF_PAGE * nodes);
                return List.of("--size", Integer.toString(side));
            }
        };

        private final String word;
        private final String sweepsOption;

        Program(String word, String sweepsOption) {
            this.word = word;
            this.sweepsOption = sweepsOption;
        }

        abstract List<String> size(int nodes);

        String word() {
            return word;
        }
    }

    /** The options of the program. */
    List<String> options(int sweeps) {
        List<String> options = new ArrayList<>(program.size(nodes));
        options.add(program.sweepsOption);
        options.add(Integer.toString(sweeps));
        return options;
    }

    String text() {
        return program.word() + " " + kind.word() + " on " + nodes + " nodes";
    }
}
