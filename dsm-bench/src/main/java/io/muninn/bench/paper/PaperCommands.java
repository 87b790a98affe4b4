package io.muninn.bench.paper;

import io.muninn.launch.MoreCommands;
import java.util.List;

/** Adds {@code dsm paper}. */
public final class PaperCommands implements MoreCommands {
    @Override
    public List<Class<?>> classes() {
        return List.of(PaperCommand.class);
    }
}
