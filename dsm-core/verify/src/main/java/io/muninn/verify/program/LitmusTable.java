package io.muninn.verify.program;

import io.muninn.coherence.ProtocolKind;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.verify.program.LitmusRun.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * All litmus tests: each with every suitable protocol, in every style, on one page and on several.
 */
public final class LitmusTable {
    private LitmusTable() {}

    /** The runs of one litmus test, in the order of the table. */
    public static List<LitmusRun> runs(Litmus litmus) {
        List<LitmusRun> runs = new ArrayList<>();
        for (ProtocolKind kind : ProtocolKind.values()) {
            if (kind.protocol().isSealed()) {
                continue; // no thread may store
            }
            for (Style style : styles(kind)) {
                for (PoolHosts hosts : hosts(kind)) {
                    runs.add(new LitmusRun(litmus, kind, style, true, hosts));
                    if (litmus.locations() > 1) {
                        runs.add(new LitmusRun(litmus, kind, style, false, hosts));
                    }
                }
            }
        }
        return runs;
    }

    private static List<PoolHosts> hosts(ProtocolKind kind) {
        return kind.traits().has(Trait.POOLED)
                ? List.of(PoolHosts.values())
                : List.of(PoolHosts.ONE);
    }

    /** Processes of a node race by its hardware, which has no model here. */
    private static List<Style> styles(ProtocolKind kind) {
        return Stream.of(Style.values())
                .filter(style -> style.isSynchronized() || !kind.needsProcesses())
                .toList();
    }

    /**
     * Explores every test.
     *
     * @param runsMin least number of runs of each
     * @param runsMax most runs of each
     * @return a line for each with the counts of its outcomes, and marks of outcomes that are not
     *     allowed (!) or that sequential consistency forbids (~)
     */
    public static String of(int runsMin, int runsMax) {
        StringBuilder table = new StringBuilder();
        for (Litmus litmus : Litmus.ALL) {
            table.append(heading(litmus)).append('\n');
            for (LitmusRun run : runs(litmus)) {
                table.append("    ").append(row(litmus, run, run.explore(runsMin, runsMax)));
                table.append('\n');
            }
        }
        return table.toString();
    }

    /** The line above a test's lines. */
    public static String heading(Litmus litmus) {
        return litmus.name() + ": " + litmus.says() + "  " + String.join(" || ", litmus.threads());
    }

    /** One line of the table. */
    public static String row(Litmus litmus, LitmusRun run, LitmusRun.Seen seen) {
        StringBuilder row =
                new StringBuilder(String.format(Locale.ROOT, "%-42s %5d runs", run, seen.runs()));
        seen.counts()
                .forEach((outcome, count) -> {
                    boolean weak = Litmus.fits(outcome, litmus.weak());
                    String mark = run.allowed().contains(outcome) ? weak ? "~" : "" : "!";
                    row.append("  ").append(mark).append(outcome).append(": ").append(count);
                });
        return row.toString();
    }
}
