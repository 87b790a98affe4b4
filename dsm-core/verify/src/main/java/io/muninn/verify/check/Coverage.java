package io.muninn.verify.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How often each cell of the state × event tables was hit, over as many runs as share it.
 *
 * <p><b>Threads.</b> Any: runs on several threads may share one.
 */
public final class Coverage {
    private final AtomicLongArray hits = new AtomicLongArray(cells());

    /** Cells of all tables, whether something is done there or not. */
    static int cells() {
        return StateTables.ALL.stream().mapToInt(StateTable::size).sum();
    }

    /** Where the cells of a table begin among all. */
    static int first(StateTable table) {
        Integer first = StateTables.FIRSTS.get(table);
        if (first != null) {
            return first;
        }
        throw new IllegalArgumentException(table.name());
    }

    /** Adds what another run, or many, has hit. */
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

    /** How many cells say what is done. */
    public int handled() {
        return lines(true).size() + lines(false).size();
    }

    /** The cells that say what is done and were never hit: table, state, event, what is done. */
    public List<String> neverHit() {
        return lines(false);
    }

    /** For a person: a line for each cell that says what is done, with how often it was hit. */
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
