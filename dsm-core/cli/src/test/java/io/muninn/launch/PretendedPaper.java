package io.muninn.launch;

import io.muninn.api.spi.BuiltInProgram;
import java.util.SortedMap;

/** Stands for the paper of another module, so that the options of its command can be checked. */
public final class PretendedPaper implements Paper {
    @Override
    public String name() {
        return "munin";
    }

    @Override
    public Runs prepare(Request request, SortedMap<String, BuiltInProgram> installed) {
        throw new AssertionError("a wrong command line came so far: " + request);
    }
}
