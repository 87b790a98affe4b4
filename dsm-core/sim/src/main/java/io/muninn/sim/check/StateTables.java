package io.muninn.sim.check;

import io.muninn.api.Protocol;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The state × event tables, in the words of the classes whose Javadoc they stand in; a test
 * compares the two. The table of shipped calls is not among them: whether a call has left is not to
 * be seen from outside, and so is not which messages a node sends itself.
 */
final class StateTables {
    private static final String HEADING = "# ";
    private static final String FILE = file();

    static final StateTable CONVENTIONAL = read("Conventional");

    static final StateTable READ_ONLY = read("ReadOnly");

    static final StateTable MIGRATORY = read("Migratory");

    static final StateTable WRITE_SHARED = read("WriteShared");

    static final StateTable PIPELINED = read("PipelinedInvalidate");

    static final StateTable LOCKS = read("LockManager");

    static final StateTable BARRIERS = read("BarrierArrivals");

    static final StateTable OBJECTS = read("ServedObjects");

    static final StateTable CONDITION_WAITS = read("ConditionWaits");

    static final StateTable CONDITIONS = read("ConditionManager");

    static final StateTable LETTERS = read("ProgramMessages");

    /** All of them, in the order in which coverage is printed. */
    static final List<StateTable> ALL =
            List.of(
                    CONVENTIONAL,
                    READ_ONLY,
                    MIGRATORY,
                    WRITE_SHARED,
                    PIPELINED,
                    LOCKS,
                    BARRIERS,
                    CONDITION_WAITS,
                    CONDITIONS,
                    OBJECTS,
                    LETTERS);

    private StateTables() {}

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

    private static String file() {
        try (InputStream in = StateTables.class.getResourceAsStream("state-tables.txt")) {
            if (in == null) {
                throw new IllegalStateException("resource state-tables.txt is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    static StateTable of(Protocol protocol) {
        return switch (protocol) {
            case CONVENTIONAL -> CONVENTIONAL;
            case READ_ONLY -> READ_ONLY;
            case MIGRATORY -> MIGRATORY;
            case WRITE_SHARED -> WRITE_SHARED;
            case PIPELINED -> PIPELINED;
        };
    }
}
