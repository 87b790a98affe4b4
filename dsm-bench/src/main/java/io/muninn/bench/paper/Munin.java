package io.muninn.bench.paper;

import io.muninn.api.spi.BuiltInProgram;
import io.muninn.launch.Paper;
import java.util.SortedMap;

/** Munin's paper, as {@code dsm paper munin} finds it. */
public final class Munin implements Paper {
    @Override
    public String name() {
        return "munin";
    }

    @Override
    public Runs prepare(Request request, SortedMap<String, BuiltInProgram> installed) {
        return new MuninPaper(request, installed);
    }
}
