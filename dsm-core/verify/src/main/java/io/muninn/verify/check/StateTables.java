package io.muninn.verify.check;

import io.muninn.coherence.ProtocolKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The state × event tables, in the words of the classes whose Javadoc they stand in; a test
 * compares the two. The table of shipped calls is not among them: whether a call has left is not to
 * be seen from outside, and so is not which messages a node sends itself.
 */
final class StateTables {
    private static final String HEADING = "# ";
    private static final String FILE = resource("state-tables.txt");

    private static final Map<ProtocolKind, StateTable> PROTOCOLS = protocols();

    static final StateTable LOCKS = read("LockManager");

    static final StateTable BARRIERS = read("BarrierArrivals");

    static final StateTable OBJECTS = read("ServedObjects");

    static final StateTable CONDITION_WAITS = read("ConditionWaits");

    static final StateTable CONDITIONS = read("ConditionManager");

    static final StateTable LETTERS = read("ProgramMessages");

    /** All of them, in the order in which coverage is printed. */
    static final List<StateTable> ALL = all();

    /** Where the cells of each table begin among all. */
    static final Map<StateTable, Integer> FIRSTS = firsts();

    private StateTables() {}

    private static Map<StateTable, Integer> firsts() {
        Map<StateTable, Integer> firsts = new IdentityHashMap<>();
        int first = 0;
        for (StateTable each : ALL) {
            firsts.put(each, first);
            first += each.size();
        }
        return firsts;
    }

    /** The table of a class: what stands under its name in the file. */
    private static StateTable read(String name) {
        StringBuilder text = new StringBuilder();
        boolean isInside = false;
        for (String line : FILE.lines().toList()) {
            if (line.startsWith(HEADING)) {
                isInside = line.equals(HEADING + name);
            } else if (isInside) {
                text.append(line).append('\n');
            }
        }
        return StateTable.parse(name, trimmed(text));
    }

    /** Without the empty lines before and after; the first column's spaces count. */
    private static String trimmed(StringBuilder text) {
        String lines = text.toString();
        int begin = 0;
        while (lines.charAt(begin) == '\n') {
            begin++;
        }
        return lines.substring(begin).stripTrailing() + "\n";
    }

    /** The text of a file of this package. */
    static String resource(String file) {
        try (InputStream in = StateTables.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("resource " + file + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    private static Map<ProtocolKind, StateTable> protocols() {
        Map<ProtocolKind, StateTable> tables = new EnumMap<>(ProtocolKind.class);
        for (ProtocolKind kind : ProtocolKind.values()) {
            tables.put(kind, read(kind.implementation().getSimpleName()));
        }
        return tables;
    }

    private static List<StateTable> all() {
        List<StateTable> all = new ArrayList<>(PROTOCOLS.values());
        all.addAll(List.of(LOCKS, BARRIERS, CONDITION_WAITS, CONDITIONS, OBJECTS, LETTERS));
        return List.copyOf(all);
    }

    static StateTable of(ProtocolKind kind) {
        return Objects.requireNonNull(PROTOCOLS.get(kind));
    }
}
