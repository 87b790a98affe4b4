package io.muninn.apps.diff;

import io.muninn.api.DsmNode;
import io.muninn.api.Messages;
import io.muninn.api.Statistics;
import java.util.Locale;

/**
 * The costs of every sweep, summed over the nodes. Thread 0 of each node records the node's
 * counters after the sweep's last barrier. A node may already count events of the next sweep at
 * that time.
 */
final class SweepTrace {
    private static final int TAG = 0;
    private static final int COUNTS = 6;

    private final DsmNode node;
    private final int sweeps;
    private final long[] counts;
    private Statistics before;

    private SweepTrace(DsmNode node, int sweeps) {
        this.node = node;
        this.sweeps = sweeps;
        this.counts = new long[sweeps * COUNTS];
        this.before = node.statistics();
    }

    /**
     * A trace for the calling thread; only thread 0 of a node records counters.
     *
     * @param sweeps number of sweeps to be traced; 0 for none
     */
    static SweepTrace of(DsmNode node, int sweeps) {
        return new SweepTrace(node, node.thread() == 0 ? sweeps : 0);
    }

    void sweepDone(int sweep) {
        if (sweeps == 0) {
            return;
        }
        Statistics now = node.statistics();
        Statistics spent = now.since(before);
        before = now;
        int at = sweep * COUNTS;
        counts[at] = spent.readFaults();
        counts[at + 1] = spent.writeFaults();
        counts[at + 2] = spent.twinsMade();
        counts[at + 3] = spent.diffsMade();
        counts[at + 4] = spent.pagesFetched();
        counts[at + 5] = spent.messages();
    }

    /** Adds the counters of all nodes on the root, which prints them. */
    void print() {
        if (sweeps == 0) {
            return;
        }
        Messages messages = node.messages();
        if (!node.isRoot()) {
            messages.send(0, TAG, counts);
            return;
        }
        for (int other = 1; other < node.nodes(); other++) {
            long[] theirs = messages.receive(other, TAG).longs();
            for (int i = 0; i < counts.length; i++) {
                counts[i] += theirs[i];
            }
        }
        printTable();
    }

    private void printTable() {
        StringBuilder text = new StringBuilder();
        String heading = "%6s %12s %12s %8s %8s %14s %10s%n";
        text.append(
                String.format(
                        Locale.ROOT,
                        heading,
                        "sweep",
                        "read faults",
                        "write faults",
                        "twins",
                        "diffs",
                        "pages fetched",
                        "messages"));
        for (int sweep = 0; sweep < sweeps; sweep++) {
            int at = sweep * COUNTS;
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%6d %12d %12d %8d %8d %14d %10d%n",
                            sweep,
                            counts[at],
                            counts[at + 1],
                            counts[at + 2],
                            counts[at + 3],
                            counts[at + 4],
                            counts[at + 5]));
        }
        System.out.print(text);
        System.out.flush();
    }
}
