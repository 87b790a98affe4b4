package io.muninn.verify.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the hits of each cell of the state × event tables, over all runs that share it.
 *
 * <p><b>Threads.</b> Any; runs on several threads may share an instance.
 */
public final class Coverage {
    private final AtomicLongArray hits = new AtomicLongArray(cells());

    /** Number of cells of all tables, including impossible ones. */
    static int cells() {
        return StateTables.ALL.stream().mapToInt(StateTable::size).sum();
    }

    /** The index of a table's first cell among the cells of all tables. */
    static int first(StateTable table) {
        Integer first = StateTables.FIRSTS.get(table);
        if (first != null) {
            return first;
        }
        throw new IllegalArgumentException(table.name());
    }

    /** Adds the hits of another instance. */
    public void add(Coverage other) {
        for (int i = 0; i < hits.length(); i++) {
            hits.addAndGet(i, other.hits.get(i));
        }
    }

    void add(long[] counts) {
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                hits.addAndGet(i, counts[i]);
            }
        }
    }

    /** The number of hits of a cell that a table has. */
    long hits(StateTable table, String state, String event) {
        return hits.get(first(table) + table.cell(state, table.column(event)));
    }

    /** Number of cells with an action. */
    public int handled() {
        return lines(true).size() + lines(false).size();
    }

    /** The cells with an action that were never hit: table, state, event, action. */
    public List<String> neverHit() {
        return lines(false);
    }

    /** Text with a line for each cell with an action, and its number of hits. */
    public String toText() {
        StringBuilder text = new StringBuilder();
        for (StateTable table : StateTables.ALL) {
            for (int i = 0; i < table.size(); i++) {
                if (table.isHandled(i)) {
                    text.append(String.format(Locale.ROOT, "%12d  ", hits.get(first(table) + i)));
                    text.append(table.name()).append(": ").append(table.describe(i)).append('\n');
                }
            }
        }
        return text.toString();
    }

    private List<String> lines(boolean wasHit) {
        List<String> lines = new ArrayList<>();
        for (StateTable table : StateTables.ALL) {
            for (int i = 0; i < table.size(); i++) {
                if (table.isHandled(i) && hits.get(first(table) + i) > 0 == wasHit) {
                    lines.add(table.name() + ": " + table.describe(i));
                }
            }
        }
        return List.copyOf(lines);
    }
}
