package io.muninn.bench.paper;

import io.muninn.sim.app.AppRun;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.MachineModel;
import io.muninn.sim.delay.SharedWire;
import io.muninn.sim.machine.HandlerPolicy;
import io.muninn.sim.machine.SmpModel;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.spi.ReadAheadRules;
import io.muninn.spi.UpdateRules;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What things cost on the machines on which a paper's programs run again, read from a {@link
 * Sheet}: in a section by the model's name, rows of parameter, value and source.
 *
 * @param name of the model
 * @param smp the hardware of nodes of several processors; empty if all costs are in this record
 * @param machine a unit of work of which costs nothing if programs have costs of their own
 * @param processors for the threads of each node
 * @param wire that messages travel on in packets; empty if there are none, and processors enough
 * @param wiring who has such a wire
 * @param unitPages machine pages per page of coherence, at least
 * @param holdNanos how long a page just obtained is kept from others
 * @param flushNanos how long stores stay unflushed after a release inside a node
 * @param updates how updates travel, and how long an unused copy is kept
 * @param rows all parameters, with their sources
 */
record CostModel(
        String name,
        Optional<Smp> smp,
        MachineModel machine,
        ProcessorRules processors,
        Optional<SharedWire> wire,
        Wiring wiring,
        int unitPages,
        long holdNanos,
        long flushNanos,
        UpdateRules updates,
        List<Sheet.Row> rows) {
    /** Who has a wire. */
    enum Wiring {
        ALL,
        EACH_NODE,
        EACH_PAIR
    }

    /** Nodes of several processors, and which of these handle requests. */
    record Smp(SmpModel model, HandlerPolicy handlers) {}

    /** Of choices by chance. */
    private static final long SEED = 1;

    /** The parameter that names the hardware of nodes of several processors. */
    private static final String MACHINE = "machine";

    /**
     * The parameter that names another section, from which a section takes values that it lacks.
     */
    private static final String LIKE = "like";

    /** Parameter, value, source. */
    private static final int CELLS = 3;

    /** The values of one section, each to be taken once. */
    private static final class Values {
        private final Map<String, Sheet.Row> rows = new TreeMap<>();
        private final String where;

        Values(String where, List<Sheet.Row> all) {
            this.where = where;
            for (Sheet.Row row : all) {
                if (rows.put(row.text(0), row) != null) {
                    throw new IllegalArgumentException(row.where() + ": given twice");
                }
            }
        }

        boolean has(String parameter) {
            return rows.containsKey(parameter);
        }

        String takeText(String parameter) {
            return takeRow(parameter).text(1);
        }

        private Sheet.Row takeRow(String parameter) {
            Sheet.Row row = rows.remove(parameter);
            if (row == null) {
                throw new IllegalArgumentException(where + " has no " + parameter);
            }
            return row;
        }

        long take(String parameter) {
            Sheet.Row row = takeRow(parameter);
            long value = (long) row.number(1);
            if (value < 0) {
                throw new IllegalArgumentException(row.where() + ": negative");
            }
            return value;
        }

        long take(String parameter, long otherwise) {
            return has(parameter) ? take(parameter) : otherwise;
        }

        void checkEmpty() {
            if (!rows.isEmpty()) {
                throw new IllegalArgumentException(where + ": unknown " + rows.keySet());
            }
        }
    }

    /**
     * @throws IllegalArgumentException if a parameter is missing, unknown or negative
     */
    static CostModel read(Sheet sheet, String name) {
        List<Sheet.Row> rows = rows(sheet, name);
        Values values = new Values(sheet.name() + " [" + name + "]", rows);
        CostModel model =
                values.has(MACHINE) ? ofHardware(name, values, rows) : ofCosts(name, values, rows);
        values.checkEmpty();
        return model;
    }

    /** The rows of a section, and those that it takes from the section that it is like. */
    private static List<Sheet.Row> rows(Sheet sheet, String name) {
        List<Sheet.Row> own = sheet.rows(name, CELLS);
        Optional<Sheet.Row> like = own.stream().filter(row -> row.text(0).equals(LIKE)).findFirst();
        if (like.isEmpty()) {
            return own;
        }
        List<String> given = own.stream().map(row -> row.text(0)).toList();
        return Stream.concat(
                        sheet.rows(like.get().text(1), CELLS).stream()
                                .filter(row -> !given.contains(row.text(0))),
                        own.stream().filter(row -> !row.text(0).equals(LIKE)))
                .toList();
    }

    private static CostModel ofHardware(String name, Values values, List<Sheet.Row> rows) {
        SmpModel smp = SmpModel.named(values.takeText(MACHINE));
        HandlerPolicy handlers =
                HandlerPolicy.valueOf(values.takeText("handlers").toUpperCase(Locale.ROOT));
        return new CostModel(
                name,
                Optional.of(new Smp(smp, handlers)),
                MachineModel.of(smp).withWorkPicos(values.take("work-picos")),
                ProcessorRules.ONE_EACH,
                Optional.empty(),
                Wiring.EACH_NODE,
                1,
                smp.holdNanos(),
                smp.flushNanos(),
                UpdateRules.DEFAULT,
                rows);
    }

    private static CostModel ofCosts(String name, Values values, List<Sheet.Row> rows) {
        MachineModel machine =
                new MachineModel(
                        values.take("latency-nanos"),
                        values.take("byte-picos"),
                        values.take("message-nanos"),
                        values.take("step-nanos"),
                        values.take("page-byte-picos"),
                        values.take("trap-nanos"),
                        values.take("wake-nanos"),
                        values.take("call-nanos"),
                        values.take("work-picos"),
                        values.take("access-picos"));
        int packetBytes = (int) values.take("packet-bytes");
        int headerBytes = (int) values.take("packet-header-bytes");
        long packetNanos = values.take("packet-nanos");
        long interfaceNanos = values.take("interface-nanos", 0);
        return new CostModel(
                name,
                Optional.empty(),
                machine,
                processors(values),
                packetBytes == 0
                        ? Optional.empty()
                        : Optional.of(
                                new SharedWire(
                                        packetBytes, headerBytes, packetNanos, interfaceNanos)),
                wiring(values),
                (int) values.take("unit-pages"),
                values.take("hold-nanos"),
                values.take("flush-nanos"),
                updates(values),
                rows);
    }

    private static UpdateRules updates(Values values) {
        boolean repeatsLate = values.take("repeat-late-prefetches", 0) > 0;
        return new UpdateRules(values.take("update-timeout-nanos"), packets(values))
                .withReadAhead(ReadAheadRules.OFF.withRepeatsLate(repeatsLate));
    }

    private static ProcessorRules processors(Values values) {
        ProcessorRules enough = ProcessorRules.ONE_EACH;
        return new ProcessorRules(
                (int) values.take("processors", enough.processors()),
                values.take("switch-nanos", enough.switchNanos()),
                values.take("arrival-nanos", enough.arrivalNanos()),
                values.take("prefetch-nanos", enough.prefetchNanos()),
                values.take("prefetch-queue-nanos", enough.prefetchQueueNanos()),
                enough.switchesAtPages());
    }

    private static Wiring wiring(Values values) {
        boolean hasPorts = values.take("ports", 0) > 0;
        boolean isSwitched = values.take("switched", 0) > 0;
        return hasPorts ? Wiring.EACH_NODE : isSwitched ? Wiring.EACH_PAIR : Wiring.ALL;
    }

    /** Diffs that are longer together are offered by a list; 0 for no lists. */
    private static int packets(Values values) {
        int bytes = (int) values.take("update-packet-bytes");
        return bytes == 0 ? UpdateRules.ALL_DIRECT : bytes;
    }

    /** Whether a unit of work costs what each program's sequential time says. */
    boolean isByProgram() {
        return machine.workPicos() == 0;
    }

    /** Packets of a message; a message is one where there is no wire to share. */
    int packets(int messageBytes) {
        return wire.map(shared -> shared.packets(messageBytes)).orElse(1);
    }

    /** Puts a run on these machines. */
    AppRun prepare(AppRun run, long workPicos) {
        return prepare(run, false, workPicos);
    }

    /**
     * Puts a run on these machines.
     *
     * @param sendsStores whether hardware sends stores; only nodes of several processors have it
     */
    AppRun prepare(AppRun run, boolean sendsStores, long workPicos) {
        MachineModel working = machine.withWorkPicos(workPicos);
        return smp.map(nodes ->
                        run.machine(nodes.model(), nodes.handlers(), sendsStores, SEED)
                                .model(working))
                .orElseGet(() -> prepareCosts(run, working));
    }

    private AppRun prepareCosts(AppRun run, MachineModel working) {
        return run.model(working)
                .processors(processors)
                .delays(
                        wire.map(packets -> delays(working, packets))
                                .orElseGet(() -> Delays.exact(working)))
                .unitPages(unitPages)
                .holdNanos(holdNanos)
                .flushDelayNanos(flushNanos);
    }

    private Delays delays(MachineModel working, SharedWire packets) {
        return switch (wiring) {
            case ALL -> Delays.stations(working, packets);
            case EACH_NODE -> Delays.ports(working, packets);
            case EACH_PAIR -> Delays.switched(working, packets);
        };
    }
}
