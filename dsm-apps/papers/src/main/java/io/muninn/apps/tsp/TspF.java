package io.muninn.apps.tsp;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import java.util.List;

/** The entry of fine-grained TSP in the list of programs. */
public final class TspF implements BuiltInProgram {
    /**
     * Number of remaining cities at which a thread completes a tour without division (Munin, table
     * 1).
     */
    private static final int THRESHOLD = 12;

    @Override
    public String name() {
        return "tsp-f";
    }

    @Override
    public String summary() {
        return "travelling salesman, fine-grained (Munin, section 6.3)";
    }

    @Override
    public String usage() {
        return TspOptions.usage(THRESHOLD);
    }

    @Override
    public List<String> versions() {
        return TspOptions.VERSIONS;
    }

    @Override
    public DsmProgram create(List<String> words) {
        return TspOptions.create(words, THRESHOLD);
    }
}
