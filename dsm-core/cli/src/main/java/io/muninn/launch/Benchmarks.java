package io.muninn.launch;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The benchmarks of {@code dsm bench}; found by {@link java.util.ServiceLoader}, because benchmarks
 * are not on the class path of ordinary runs.
 *
 * <p><b>Threads.</b> One thread only.
 */
public interface Benchmarks {
    /** The choices of {@code --only}, in the order in which they run. */
    List<String> groups();

    /**
     * Measures, prints a table, and writes the page and the JSON file.
     *
     * @return true if everything requested was measured
     * @throws IOException if results cannot be written
     */
    boolean run(Request request, Processes processes, PrintWriter out, PrintWriter progress)
            throws IOException, InterruptedException;

    /**
     * A request for measurements.
     *
     * @param quick few samples and small sizes: a test of the benchmarks, without meaningful
     *     results
     * @param groups from {@link #groups()}, at least one
     * @param engine engine of live runs, as for {@code dsm run --engine}
     * @param folder existing folder for the page and its plots, which are rewritten after each part
     * @param documents destination of page and plots when everything was measured; empty for none
     * @param json file for all rows; empty for none
     */
    record Request(
            boolean quick,
            List<String> groups,
            String engine,
            Path folder,
            Optional<Path> documents,
            Optional<Path> json) {
        public Request {
            groups = List.copyOf(groups);
        }
    }

    /** Starts processes, none of which outlives this one. */
    interface Processes {
        /**
         * Makes a live run.
         *
         * @param prefix a command that runs a command, such as {@code taskset -c 0}
         * @param options options of {@code dsm run}, except the number of nodes
         * @param words the program and its options
         */
        Run run(List<String> prefix, int nodes, List<String> options, List<String> words)
                throws InterruptedException;

        /** The command of a JVM with an agent's flags and this JVM's class path. */
        List<String> java(String mainClass, List<String> arguments);
    }

    /**
     * The result of a live run.
     *
     * @param isGood true if it ended and its result is not wrong
     * @param report as {@code dsm run --json} writes it; empty if the run did not get that far
     * @param output output of all its processes
     */
    record Run(boolean isGood, Optional<JsonObject> report, String output) {}
}
