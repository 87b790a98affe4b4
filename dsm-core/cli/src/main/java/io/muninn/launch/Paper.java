package io.muninn.launch;

import io.muninn.api.spi.BuiltInProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;

/**
 * A paper whose programs {@code dsm paper} reproduces. Found by {@link java.util.ServiceLoader},
 * because papers are not on the class path of ordinary runs.
 *
 * <p><b>Threads.</b> One thread only.
 */
public interface Paper {
    /** The name of its command. */
    String name();

    /**
     * Checks a request before anything runs.
     *
     * @param installed programs by name
     * @throws IllegalArgumentException if the request names an unknown program or model; the text
     *     is for the user
     */
    Runs prepare(Request request, SortedMap<String, BuiltInProgram> installed);

    /**
     * A request for runs.
     *
     * @param programs names of the paper's programs; empty for all that are installed
     * @param nodes counts; empty for those of the paper
     * @param models names of machines; empty for all
     * @param isQuick true for the problem sizes of tests
     * @param jobs number of concurrent runs
     */
    record Request(
            List<String> programs,
            List<Integer> nodes,
            List<String> models,
            boolean isQuick,
            int jobs) {
        public Request {
            programs = List.copyOf(programs);
            nodes = List.copyOf(nodes);
            models = List.copyOf(models);
        }
    }

    /** The runs of one request. */
    interface Runs {
        /**
         * Simulates every run and writes tables and figures.
         *
         * @param folder made if it does not exist; files of other names in it stay
         * @param progress receives a line for each run
         * @return one text for the user for each run that failed
         * @throws IOException if the results cannot be written
         */
        List<String> simulate(Path folder, PrintWriter progress)
                throws IOException, InterruptedException;

        /**
         * Runs the programs live, simulates the same runs, and writes the counts of messages side
         * by side as {@code live.md}. All runs have the default update timeout.
         *
         * @param nodes counts
         * @return one text for the user for each run that failed
         */
        List<String> runLive(
                Path folder, List<Integer> nodes, LiveCounts live, PrintWriter progress)
                throws IOException, InterruptedException;
    }
}
