package io.muninn.bench;

import io.muninn.launch.MoreCommands;
import java.util.List;

/** Adds {@code dsm bench}. */
public final class BenchCommands implements MoreCommands {
    @Override
    public List<Class<?>> classes() {
        return List.of(BenchCommand.class);
    }
}
