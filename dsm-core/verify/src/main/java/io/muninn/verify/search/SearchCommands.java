package io.muninn.verify.search;

import io.muninn.launch.MoreCommands;
import java.util.List;

/** The subcommands of {@code dsm sim} that check the kernel. */
public final class SearchCommands implements MoreCommands {
    @Override
    public String parent() {
        return "sim";
    }

    @Override
    public String usual() {
        return RandomCommand.NAME;
    }

    @Override
    public List<Class<?>> classes() {
        return List.of(RandomCommand.class, LitmusCommand.class, MutantsCommand.class);
    }
}
