package io.muninn.bench;

import io.muninn.bench.series.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** All measurements of a run, in order. */
final class Results {
    private final MeasuredMachine machine;
    private final boolean quick;
    private final List<Row> rows = new ArrayList<>();
    private final List<ProgramTimes> apps = new ArrayList<>();
    private final List<SwitchRow> switches = new ArrayList<>();
    private final List<LinkRow> links = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final TreeSet<String> engines = new TreeSet<>();

    private boolean finished;

    Results(MeasuredMachine machine, boolean quick) {
        this.machine = machine;
        this.quick = quick;
    }

    /**
     * Adds operations.
     *
     * @param floors with which they are compared
     */
    void add(Placement placement, List<Measured> operations, List<Measured> floors) {
        MeasuredFloors all = new MeasuredFloors(operations, floors);
        operations.forEach(each -> rows.add(Row.of(each, placement, all)));
    }

    /** Adds floors as separate rows. */
    void addFloors(Placement placement, List<Measured> floors) {
        MeasuredFloors none = new MeasuredFloors(List.of(), List.of());
        floors.forEach(each -> rows.add(Row.of(each, placement, none)));
    }

    void add(Row row) {
        rows.add(row);
    }

    void add(ProgramTimes run) {
        apps.add(run);
    }

    void add(SwitchRow row) {
        switches.add(row);
    }

    void add(LinkRow row) {
        links.add(row);
    }

    void engine(String engine) {
        engines.add(engine);
    }

    void fail(String failure) {
        failures.add(failure);
    }

    /** Marks that all requested measurements were attempted. */
    void finish() {
        finished = true;
    }

    boolean isFinished() {
        return finished;
    }

    MeasuredMachine machine() {
        return machine;
    }

    boolean isQuick() {
        return quick;
    }

    List<Row> rows() {
        return List.copyOf(rows);
    }

    /** All rows of {@code --json}: also those of links. */
    List<Row> allRows() {
        List<Row> all = new ArrayList<>(rows);
        links.forEach(link -> all.addAll(link.rows()));
        return all;
    }

    /** The row of an operation. */
    Optional<Row> row(String name, boolean pinned) {
        return rows.stream()
                .filter(row -> row.name().equals(name) && row.pinned() == pinned)
                .findFirst();
    }

    List<ProgramTimes> apps() {
        return List.copyOf(apps);
    }

    List<SwitchRow> switches() {
        return List.copyOf(switches);
    }

    List<LinkRow> links() {
        return List.copyOf(links);
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    /** The fault engines of all live runs; empty if there was none. */
    String engines() {
        return String.join(", ", engines);
    }
}
