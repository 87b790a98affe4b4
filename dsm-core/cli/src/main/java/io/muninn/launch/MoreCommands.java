package io.muninn.launch;

import java.util.List;

/**
 * Commands of another module, found by {@link java.util.ServiceLoader} if the module is on the
 * class path. Such commands are not part of the product, which does not depend on their modules.
 *
 * <p><b>Threads.</b> One thread only.
 */
public interface MoreCommands {
    /** The command of which they are subcommands. */
    String parent();

    /**
     * The subcommand that {@link #parent} stands for if it is given options alone.
     *
     * @return the name of one of {@link #classes}
     */
    String usual();

    /** Classes with picocli's annotation of a command and a constructor without parameters. */
    List<Class<?>> classes();
}
