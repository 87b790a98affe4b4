package io.muninn.verify.search;

import io.muninn.launch.MoreCommands;
import java.util.List;
import java.util.Optional;

/** The subcommands of {@code dsm sim} that check the kernel. */
public final class SearchCommands implements MoreCommands {
    @Override
    public String parent() {
        return "sim";
    }

    @Override
    public Optional<String> usual() {
        return Optional.of(RandomCommand.NAME);
    }

    @Override
    public List<Class<?>> classes() {
        return List.of(
                RandomCommand.class, LitmusCommand.class, PoolCommand.class, MutantsCommand.class);
    }
}
