package io.muninn.bench;

import com.google.gson.JsonObject;
import io.muninn.bench.series.Measured;

/**
 * One version of a program, and how its time was spent: averages over nodes and repetitions,
 * including warm-up.
 *
 * @param version value of {@code --version}
 * @param faultNanos time that a thread waited for faults
 * @param barrierNanos time that it waited in barriers
 * @param messages sent by a node
 */
record ProgramTimes(
        String version,
        Measured measured,
        double faultNanos,
        double lockNanos,
        double barrierNanos,
        double readFaults,
        double writeFaults,
        double messages,
        double bytes) {
    /**
     * @param totals sums over all nodes and repetitions, from the report of the run
     * @param shares number of nodes times number of repetitions
     */
    static ProgramTimes of(String version, Measured measured, JsonObject totals, int shares) {
        return new ProgramTimes(
                version,
                measured,
                share(totals, "faultNanos", shares),
                share(totals, "lockNanos", shares),
                share(totals, "barrierNanos", shares),
                share(totals, "readFaults", shares),
                share(totals, "writeFaults", shares),
                share(totals, "messages", shares),
                share(totals, "bytes", shares));
    }

    private static double share(JsonObject totals, String key, int shares) {
        return totals.get(key).getAsDouble() / shares;
    }
}
