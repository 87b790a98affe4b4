package io.muninn.verify.check;

import io.muninn.coherence.ProtocolKind;
import io.muninn.sync.BarrierArrivals;
import io.muninn.sync.ConditionManager;
import io.muninn.sync.ConditionWaits;
import io.muninn.sync.LockManager;
import io.muninn.sync.ProgramMessages;
import io.muninn.sync.ReadWriteLocks;
import io.muninn.sync.ReadWriteManager;
import io.muninn.sync.RemoteCalls;
import io.muninn.sync.RemoteHome;
import io.muninn.sync.ServedObjects;
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
 * The state × event tables that are checked. Each is written once, in the Javadoc of its class; the
 * build copies the sources of the kernel's protocols and synchronization into the folder {@code
 * tables}.
 */
final class StateTables {
    private static final String ROOT = "io.muninn.";
    private static final int COMMENT_COLUMNS = " * ".length();

    private static final Map<ProtocolKind, StateTable> PROTOCOLS = protocols();

    static final StateTable LOCKS = read(LockManager.class);

    static final StateTable READ_WRITE_LOCKS = read(ReadWriteLocks.class);

    static final StateTable READ_WRITE_MANAGER = read(ReadWriteManager.class);

    static final StateTable BARRIERS = read(BarrierArrivals.class);

    static final StateTable OBJECTS = read(ServedObjects.class);

    static final StateTable CONDITION_WAITS = read(ConditionWaits.class);

    static final StateTable CONDITIONS = read(ConditionManager.class);

    static final StateTable LETTERS = read(ProgramMessages.class);

    static final StateTable REMOTE_CALLS = read(RemoteCalls.class);

    static final StateTable REMOTE_HOME = read(RemoteHome.class);

    /** All tables, in the order in which coverage is printed. */
    static final List<StateTable> ALL = all();

    /** The index of each table's first cell among the cells of all tables. */
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

    /**
     * The table of a class of the kernel: the content of the first {@code <pre>} of its Javadoc.
     */
    static StateTable read(Class<?> type) {
        return read(type.getPackageName(), type.getSimpleName());
    }

    private static StateTable read(String packageName, String name) {
        String folder = "tables/" + packageName.substring(ROOT.length()).replace('.', '/');
        List<String> lines =
                resource(folder + "/" + name + ".java")
                        .lines()
                        .dropWhile(line -> !line.equals(" * <pre>"))
                        .skip(1)
                        .takeWhile(line -> !line.equals(" * </pre>"))
                        .map(line -> line.substring(Math.min(COMMENT_COLUMNS, line.length())))
                        .toList();
        return StateTable.parse(
                name, String.join("\n", lines) + "\n", other -> read(packageName, other));
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
            tables.put(kind, read(kind.implementation()));
        }
        return tables;
    }

    private static List<StateTable> all() {
        List<StateTable> all = new ArrayList<>(PROTOCOLS.values());
        all.addAll(List.of(LOCKS, BARRIERS, CONDITION_WAITS, CONDITIONS, OBJECTS, LETTERS));
        all.addAll(List.of(READ_WRITE_LOCKS, READ_WRITE_MANAGER));
        all.addAll(List.of(REMOTE_CALLS, REMOTE_HOME));
        return List.copyOf(all);
    }

    static StateTable of(ProtocolKind kind) {
        return Objects.requireNonNull(PROTOCOLS.get(kind));
    }
}
