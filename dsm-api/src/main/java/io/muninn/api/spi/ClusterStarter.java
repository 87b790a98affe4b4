package io.muninn.api.spi;

import io.muninn.api.DsmException;
import io.muninn.api.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Starts the processes of a cluster of this machine for {@link io.muninn.api.LocalCluster}; found
 * by {@link java.util.ServiceLoader}. The artifact {@code io.muninn:muninn} has one.
 */
public interface ClusterStarter {
    /**
     * A run.
     *
     * @param nodes at least 1
     * @param options further options of {@code dsm run}
     * @param output the file to which all processes append what they print; empty for standard
     *     output and standard error of this process
     * @param program the binary name of the program's class
     * @param words the options of the program
     */
    record Run(
            int nodes,
            List<String> options,
            Optional<Path> output,
            String program,
            List<String> words) {
        public Run {
            options = List.copyOf(options);
            words = List.copyOf(words);
        }
    }

    /**
     * Makes a run, and returns when all of its processes have ended.
     *
     * @return the verdict of node 0
     * @throws IllegalArgumentException if there is no such program or an option is wrong
     * @throws IllegalStateException if this process can start none
     * @throws DsmException if the run failed; {@link io.muninn.api.NodeLostException} if a node was
     *     lost
     */
    Verdict run(Run run);
}
