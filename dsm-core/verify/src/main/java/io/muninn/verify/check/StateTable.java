package io.muninn.verify.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A state × event table: a row for each state, a column for each event. It is written in parts that
 * are separated by empty lines. A part begins with the names of its columns, whose positions define
 * the positions of the cells. A row without a name continues the previous one. The first line that
 * begins with {@code (1)} or another number ends the table and begins its notes.
 *
 * <p>A table that differs little from another table of its package begins with the line {@code As
 * Other, but:} and an empty line. It lists the cells that differ, and all cells of additional
 * columns, which follow the columns of the other table. A note replaces the other table's note with
 * the same number.
 */
final class StateTable {
    private static final Pattern COLUMN = Pattern.compile("\\S+( \\S+)*");

    private static final Pattern FOOTNOTE = Pattern.compile(" *\\(\\d+\\)$");

    private static final Pattern NOTES = Pattern.compile("^\\(\\d+\\) ", Pattern.MULTILINE);

    private static final Pattern OTHER = Pattern.compile("As (\\w+), but:\n\n");

    private static final String UNCONCERNED = "–";

    /** The position of a column of a part. */
    private record Place(int column, int from, int to) {}

    private final String name;
    private final String text; // its own parts
    private final String notes;
    private final @Nullable StateTable other; // null if it is not based on another table
    private final List<String> columnHeadings = new ArrayList<>(); // with their footnotes
    private final List<String> columns = new ArrayList<>();
    private final List<String> rowHeadings = new ArrayList<>(); // with their footnotes
    private final List<String> rows = new ArrayList<>();
    private final List<String[]> cells = new ArrayList<>(); // by row, then by column
    private final Map<String, Integer> columnPlaces = new HashMap<>(); // first column with a name
    private final Map<String, Integer> rowPlaces = new HashMap<>();
    private boolean[] possible = {}; // by cell

    private StateTable(String name, String text, String notes, @Nullable StateTable other) {
        this.name = name;
        this.text = text;
        this.notes = notes;
        this.other = other;
    }

    /**
     * @param name name of the class whose Javadoc contains it
     * @param others finds a table of the same package by its name
     */
    static StateTable parse(String name, String written, Function<String, StateTable> others) {
        Matcher matcher = NOTES.matcher(written);
        int end = matcher.find() ? matcher.start() : written.length();
        String text = written.substring(0, end);
        String notes = written.substring(end);
        Matcher first = OTHER.matcher(text);
        if (!first.lookingAt()) {
            return parseOwn(name, text, notes);
        }
        StateTable own = parseOwn(name, text.substring(first.end()), notes);
        StateTable other = others.apply(first.group(1));
        StateTable table = new StateTable(name, own.text, notes, other);
        table.addHeadings(other);
        table.addHeadings(own);
        table.rows.forEach(row -> table.cells.add(table.merged(row, own, other)));
        table.index();
        return table;
    }

    private static StateTable parseOwn(String name, String text, String notes) {
        StateTable table = new StateTable(name, text, notes, null);
        List<Place> places = List.of();
        int row = -1;
        for (String line : text.lines().toList()) {
            if (line.isEmpty()) {
                places = List.of();
            } else if (places.isEmpty()) {
                places = table.addColumns(line);
            } else {
                String state = part(line, 0, places.getFirst().from());
                row = state.isEmpty() ? row : table.addRow(state);
                table.addCells(row, line, places);
            }
        }
        table.index();
        return table;
    }

    /** Adds the columns and rows of a table that are missing here. */
    private void addHeadings(StateTable from) {
        for (int i = 0; i < from.columns.size(); i++) {
            if (!columns.contains(from.columns.get(i))) {
                columns.add(from.columns.get(i));
                columnHeadings.add(from.columnHeadings.get(i));
            }
        }
        for (int i = 0; i < from.rows.size(); i++) {
            if (!rows.contains(from.rows.get(i))) {
                rows.add(from.rows.get(i));
                rowHeadings.add(from.rowHeadings.get(i));
            }
        }
    }

    private String[] merged(String row, StateTable own, StateTable other) {
        return columns.stream()
                .map(column -> {
                    String says = own.says(row, column);
                    return says.isEmpty() ? other.says(row, column) : says;
                })
                .toArray(String[]::new);
    }

    private void index() {
        for (int i = 0; i < columns.size(); i++) {
            columnPlaces.putIfAbsent(columns.get(i), i);
        }
        for (int i = 0; i < rows.size(); i++) {
            rowPlaces.putIfAbsent(rows.get(i), i);
        }
        possible = new boolean[size()];
        for (int i = 0; i < possible.length; i++) {
            String says = says(i);
            possible[i] =
                    !says.isEmpty() && !says.equals(UNCONCERNED) && !says.startsWith("impossible");
        }
    }

    private List<Place> addColumns(String line) {
        List<Place> places = new ArrayList<>();
        Matcher matcher = COLUMN.matcher(line);
        while (matcher.find()) {
            if (!places.isEmpty()) {
                Place before = places.removeLast();
                places.add(new Place(before.column(), before.from(), matcher.start()));
            }
            places.add(new Place(columns.size(), matcher.start(), Integer.MAX_VALUE));
            columnHeadings.add(matcher.group());
            columns.add(FOOTNOTE.matcher(matcher.group()).replaceFirst(""));
        }
        return places;
    }

    private int addRow(String state) {
        String bare = FOOTNOTE.matcher(state).replaceFirst("");
        int row = rows.indexOf(bare);
        if (row >= 0) {
            return row;
        }
        rowHeadings.add(state);
        rows.add(bare);
        cells.add(new String[0]);
        return rows.size() - 1;
    }

    private void addCells(int row, String line, List<Place> places) {
        String[] present = cells.get(row);
        int before = present.length;
        if (before < columns.size()) {
            present = Arrays.copyOf(present, columns.size());
            Arrays.fill(present, before, present.length, "");
            cells.set(row, present);
        }
        for (Place place : places) {
            String more = part(line, place.from(), place.to());
            String sofar = present[place.column()];
            present[place.column()] =
                    sofar.isEmpty() || more.isEmpty() ? sofar + more : sofar + " " + more;
        }
    }

    private static String part(String line, int from, int to) {
        int length = line.length();
        return line.substring(Math.min(from, length), Math.min(to, length)).strip();
    }

    String name() {
        return name;
    }

    /** The text, without its notes and without the reference to another table. */
    String text() {
        return text;
    }

    /** The numbered notes, and the text after them; may be empty. */
    String notes() {
        return notes;
    }

    /** The table on which it is based. */
    Optional<StateTable> other() {
        return Optional.ofNullable(other);
    }

    /** The parts in the order of the text, each as a separate table. */
    List<StateTable> parts() {
        return Arrays.stream(text.split("\n\n")).map(part -> parseOwn(name, part, "")).toList();
    }

    /** The names of the events, with their footnotes. */
    List<String> columnHeadings() {
        return columnHeadings;
    }

    /** The names of the states, with their footnotes. */
    List<String> rowHeadings() {
        return rowHeadings;
    }

    int size() {
        return rows.size() * columns.size();
    }

    /**
     * @return the index of an event's column; negative if there is none
     */
    int column(String event) {
        return columnPlaces.getOrDefault(event, -1);
    }

    /**
     * @return the index of a cell, from 0 and less than {@link #size}; negative if the table has no
     *     such row
     */
    int cell(String state, int column) {
        int row = rowPlaces.getOrDefault(state, -1);
        return row < 0 ? row : row * columns.size() + column;
    }

    /** The text of a cell; may be empty. */
    String says(int cell) {
        String[] row = cells.get(cell / columns.size());
        int column = cell % columns.size();
        return column < row.length ? row[column] : "";
    }

    /** The text of a cell; empty if the table has no such cell. */
    String says(String state, String event) {
        int column = column(event);
        int cell = column < 0 ? column : cell(state, column);
        return cell < 0 ? "" : says(cell);
    }

    /** True if the event of a cell does not concern the object in that state. */
    boolean isUnconcerned(int cell) {
        return says(cell).equals(UNCONCERNED);
    }

    /** True if a cell may be reached. */
    boolean isPossible(int cell) {
        return possible[cell];
    }

    /** True if a cell may be reached and has an action. */
    boolean isHandled(int cell) {
        String says = says(cell);
        return isPossible(cell) && !says.startsWith("ignore");
    }

    /** Describes a cell: state, event and action. */
    String describe(int cell) {
        return rows.get(cell / columns.size())
                + " × "
                + columns.get(cell % columns.size())
                + ": "
                + says(cell);
    }
}
