package io.muninn.bench;

import com.google.gson.JsonObject;
import io.muninn.bench.series.Measured;

/**
 * One version of a program, and where its time went: on average over nodes and repetitions, warm-up
 * included.
 *
 * @param version as {@code --version} names it
 * @param faultNanos in which a thread waited for a fault
 * @param barrierNanos in which it waited in barriers
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
     * @param totals of the run's report
     * @param shares nodes times repetitions
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
