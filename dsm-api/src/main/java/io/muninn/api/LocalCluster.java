package io.muninn.api;

import io.muninn.api.spi.ClusterStarter;
import io.muninn.api.spi.ClusterStarter.Run;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A cluster of processes of this machine, for a {@code main} or a test: each node is an application
 * process that runs the program, and has an agent. The processes have the JDK and the class path of
 * this JVM, and end with it.
 *
 * {@snippet :
 * Verdict verdict = LocalCluster.of(3).options("--threads", "2").run(Primes.class);
 * }
 *
 * <p>The processes print to standard output and standard error of this process, or to a {@linkplain
 * #output file}; streams that {@code System.setOut} has set are not used. Their standard input is
 * empty.
 *
 * <p><b>Threads.</b> An instance is immutable. Several threads may run clusters at the same time.
 */
public final class LocalCluster {
    private final int nodes;
    private final List<String> options;
    private final Optional<Path> output;

    private LocalCluster(int nodes, List<String> options, Optional<Path> output) {
        this.nodes = nodes;
        this.options = List.copyOf(options);
        this.output = output;
    }

    /**
     * A cluster with this many nodes, of one process with one thread each.
     *
     * @param nodes at least 1; {@link #run} checks the number
     */
    public static LocalCluster of(int nodes) {
        return new LocalCluster(nodes, List.of(), Optional.empty());
    }

    /**
     * Adds options of {@code dsm run}, such as {@code --threads 2}, {@code --protocol lazy}, {@code
     * --jvm-option -Xmx1g} or {@code --stats}; {@link #run} checks them. The options {@code -n},
     * {@code --class-path} and {@code --json} are set already.
     *
     * @param more each option and each value is a word of its own
     */
    public LocalCluster options(String... more) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of(more));
        return new LocalCluster(nodes, all, output);
    }

    /** Lets all processes append what they print to a file. */
    public LocalCluster output(Path file) {
        return new LocalCluster(nodes, options, Optional.of(file));
    }

    /**
     * Runs a program on the cluster. Starts all processes, and returns when all have ended.
     *
     * @param program a class that every process can load from the class path of this JVM. Its
     *     constructor takes a {@code String[]}, a {@code List<String>} or nothing
     * @param words the options of the program
     * @return the result of {@link DsmProgram#verify} on node 0, right, wrong or unchecked
     * @throws IllegalArgumentException if the program, its options or those of the cluster are
     *     wrong
     * @throws IllegalStateException if this JVM has no {@code io.muninn:muninn} on its class path,
     *     or is a process of a cluster itself
     * @throws DsmException if the program failed on a node, or a node could not be started; {@link
     *     NodeLostException} if a node was lost. The text has the reason; the processes have
     *     printed more
     */
    public Verdict run(Class<? extends DsmProgram> program, String... words) {
        if (program.isHidden() || program.isAnonymousClass() || program.isLocalClass()) {
            throw new IllegalArgumentException(
                    "other processes cannot load "
                            + program.getName()
                            + ": declare a program as a class of its own, or nested and static");
        }
        return starter().run(new Run(nodes, options, output, program.getName(), List.of(words)));
    }

    private static ClusterStarter starter() {
        return ServiceLoader.load(ClusterStarter.class)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalStateException(
                                "no cluster can be started: add io.muninn:muninn to the class path"
                                        + " of this JVM"));
    }
}
