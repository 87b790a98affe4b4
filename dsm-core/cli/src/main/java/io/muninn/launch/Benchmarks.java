package io.muninn.launch;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What {@code dsm bench} runs; found by {@link java.util.ServiceLoader}, because benchmarks are not
 * on the class path of ordinary runs.
 *
 * <p><b>Threads.</b> Used by one thread.
 */
public interface Benchmarks {
    /** What {@code --only} chooses from, in the order in which they run. */
    List<String> groups();

    /**
     * Measures, prints a table, and writes the page and the JSON file.
     *
     * @return true if everything that was asked for was measured
     * @throws IOException if results cannot be written
     */
    boolean run(Request request, Processes processes, PrintWriter out, PrintWriter progress)
            throws IOException, InterruptedException;

    /**
     * What to measure.
     *
     * @param quick few samples and small sizes: shows that it works, not what comes out
     * @param groups of {@link #groups()}, at least one
     * @param engine of live runs, as {@code dsm run --engine} takes it
     * @param folder for the page and its plots; it is there, and is written again after each part
     * @param documents where page and plots go when everything was measured; empty for nowhere
     * @param json for all rows; empty without
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

    /** Processes of ours, none of which outlives this one. */
    interface Processes {
        /**
         * A live run.
         *
         * @param prefix a command that runs a command, such as {@code taskset -c 0}
         * @param options of {@code dsm run}, besides the number of nodes
         * @param words the program and its options
         */
        Run run(List<String> prefix, int nodes, List<String> options, List<String> words)
                throws InterruptedException;

        /** The command of a JVM with an agent's flags and this one's class path. */
        List<String> java(String mainClass, List<String> arguments);
    }

    /**
     * How a live run came out.
     *
     * @param isGood it came to its end and its result is not wrong
     * @param report as {@code dsm run --json} writes it; empty if the run did not come so far
     * @param output of all its processes
     */
    record Run(boolean isGood, Optional<JsonObject> report, String output) {}
}
