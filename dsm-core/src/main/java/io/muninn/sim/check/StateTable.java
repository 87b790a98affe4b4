package io.muninn.sim.check;

import io.muninn.api.Protocol;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A state × event table, as the Javadoc of its class has it, reduced to what is handled. A test
 * holds the two together.
 */
public final class StateTable {
    /** What a table says of a state and an event. */
    public enum Mark {
        HANDLED,
        /** Handled, but nothing leads there before a copy can be dropped (Munin §2.4). */
        WAITING,
        NOTHING,
        IMPOSSIBLE
    }

    /** A state and an event of a table. */
    public record Cell(String table, String state, String event) implements Comparable<Cell> {
        @Override
        public int compareTo(Cell other) {
            int byTable = table.compareTo(other.table);
            int byState = byTable != 0 ? byTable : state.compareTo(other.state);
            return byState != 0 ? byState : event.compareTo(other.event);
        }

        @Override
        public String toString() {
            return table + ": " + state + " × " + event;
        }
    }

    private static final Map<Protocol, StateTable> OF_PROTOCOLS = new EnumMap<>(Protocol.class);

    /**
     * Rows: state, then per event x for handled, w for handled and waiting for what leads there, -
     * for nothing, . for impossible.
     */
    private static final StateTable LOCKS =
            new StateTable(
                    "locks",
                    """
                    AcquireCalled, ReleaseCalled, LockRequest, LockGrant, LockReclaimed, \
                    release performed, wait over or cancelled
                    Away       x.x...-
                    Asked      x.xx..x
                    Kept       x.x...-
                    Lent       x.x...-
                    Reclaiming ....x..
                    Wanted     xxx...x
                    Passing    x.x..xx
                    """);

    static {
        OF_PROTOCOLS.put(
                Protocol.CONVENTIONAL,
                new StateTable(
                        "conventional",
                        """
                        read fault, write fault, ReadRequest, WriteRequest, ReadReply, \
                        WriteGrant, Invalidate, InvalidateAck
                        Invalid      xxxx....
                        Shared       xxxx..x.
                        Shared owner xxxx....
                        Exclusive    xxxx....
                        AwaitCopy    xxxxx.x.
                        AwaitGrant   xxxx.xx.
                        AwaitAcks    xxxx...x
                        """));
        OF_PROTOCOLS.put(
                Protocol.READ_ONLY,
                new StateTable(
                        "read-only",
                        """
                        read fault, write fault, CopyRequest, CopyReply, Sealed
                        Writable xx..x
                        Absent   xx...
                        Awaiting xx.x.
                        Readable xxx..
                        """));
        OF_PROTOCOLS.put(
                Protocol.MIGRATORY,
                new StateTable(
                        "migratory",
                        """
                        fault, PageRequest, PageMove, HoldOver
                        Absent   xx.-
                        Awaiting xxx-
                        Present  xx.x
                        """));
        OF_PROTOCOLS.put(
                Protocol.WRITE_SHARED,
                new StateTable(
                        "write-shared",
                        """
                        read fault, write fault, FetchRequest, FetchReply, Update, release, Sealed
                        Absent    xxx.w--
                        Fetching  xxxxx--
                        Clean     xxx.x--
                        Dirty     xxx.xx-
                        Exclusive xxx..-x
                        Idle      xxx..--
                        """));
    }

    private final String name;
    private final List<String> events;
    private final Map<String, String> rows = new LinkedHashMap<>();

    private StateTable(String name, String text) {
        this.name = name;
        List<String> lines = text.lines().toList();
        events = Arrays.stream(lines.getFirst().split(",")).map(String::strip).toList();
        for (String line : lines.subList(1, lines.size())) {
            int marks = line.lastIndexOf(' ') + 1;
            rows.put(line.substring(0, marks).strip(), line.substring(marks));
        }
    }

    /** The tables of all protocols, and of locks. */
    public static List<StateTable> all() {
        List<StateTable> all = new ArrayList<>(OF_PROTOCOLS.values());
        all.add(LOCKS);
        return all;
    }

    static StateTable of(Protocol protocol) {
        return OF_PROTOCOLS.get(protocol);
    }

    static StateTable locks() {
        return LOCKS;
    }

    public String name() {
        return name;
    }

    public List<String> events() {
        return events;
    }

    public List<String> states() {
        return List.copyOf(rows.keySet());
    }

    /** False for an event that the table has no column for. */
    boolean knows(String event) {
        return events.contains(event);
    }

    /** What the table says; impossible also for a state that it does not know. */
    public Mark mark(String state, String event) {
        String row = rows.get(state);
        if (row == null) {
            return Mark.IMPOSSIBLE;
        }
        return switch (row.charAt(events.indexOf(event))) {
            case 'x' -> Mark.HANDLED;
            case 'w' -> Mark.WAITING;
            case '-' -> Mark.NOTHING;
            default -> Mark.IMPOSSIBLE;
        };
    }

    /** Every handled cell, row by row. */
    public List<Cell> handled() {
        List<Cell> cells = new ArrayList<>();
        for (String state : rows.keySet()) {
            for (String event : events) {
                if (mark(state, event) == Mark.HANDLED) {
                    cells.add(new Cell(name, state, event));
                }
            }
        }
        return cells;
    }
}
