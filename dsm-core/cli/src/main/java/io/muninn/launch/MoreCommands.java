package io.muninn.launch;

import java.util.List;
import java.util.Optional;

/**
 * Commands of another module, found by {@link java.util.ServiceLoader} if the module is on the
 * class path. Such commands are not part of the product, which does not depend on their modules.
 * The commands of ordinary runs are started without a search for these.
 *
 * <p><b>Threads.</b> One thread only.
 */
public interface MoreCommands {
    /** The command of which they are subcommands: {@code sim}, or {@link Main#NAME} itself. */
    default String parent() {
        return Main.NAME;
    }

    /**
     * The subcommand that a {@link #parent} other than {@link Main#NAME} stands for if it is given
     * options alone.
     *
     * @return the name of one of {@link #classes}; empty if there is none
     */
    default Optional<String> usual() {
        return Optional.empty();
    }

    /** Classes with picocli's annotation of a command and a constructor without parameters. */
    List<Class<?>> classes();
}
