package io.muninn.bench.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * A table of the paper beside ours.
 *
 * @param title what it is about, with unit and nodes
 * @param decimals of the values
 * @param columns their labels
 * @param rows in order
 */
record Comparison(String title, int decimals, List<String> columns, List<Row> rows) {
    private static final String NOTHING = "–";
    private static final double ROUNDED_ONE = 0.995; // 0.67 is the inverse of 1.5, as it is shown
    private static final Pattern NEGATIVE_ZERO = Pattern.compile("-0(\\.0*)?");
    private static final String CSV_HEADER = "table,program,version,ours,paper,ratio";

    /**
     * One program.
     *
     * @param cells one for each column
     */
    record Row(String program, List<Cell> cells) {
        Row {
            cells = List.copyOf(cells);
        }
    }

    /** Ours and the paper's; either may be missing. */
    record Cell(OptionalDouble ours, OptionalDouble paper) {
        boolean isInPaper() {
            return paper.isPresent();
        }

        OptionalDouble ratio() {
            return ours.isEmpty() || paper.isEmpty() || paper.getAsDouble() == 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(ours.getAsDouble() / paper.getAsDouble());
        }
    }

    Comparison {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /** What stands in a cell. */
    interface Cells {
        Cell of(PaperProgram program, PaperVersion version);
    }

    /** A row for each program, and a column for each version. */
    static Comparison of(
            String title,
            int decimals,
            List<PaperProgram> programs,
            List<PaperVersion> versions,
            Cells cells) {
        List<Row> rows = new ArrayList<>();
        for (PaperProgram program : programs) {
            rows.add(
                    new Row(
                            program.title(),
                            versions.stream().map(each -> cells.of(program, each)).toList()));
        }
        return new Comparison(title, decimals, labels(versions), rows);
    }

    /** The paper's values alone. */
    Comparison paper() {
        List<Row> papers = new ArrayList<>();
        for (Row row : rows) {
            List<Cell> cells = new ArrayList<>();
            row.cells().forEach(cell -> cells.add(new Cell(cell.paper(), OptionalDouble.empty())));
            papers.add(new Row(row.program(), cells));
        }
        return new Comparison(title, decimals, columns, papers);
    }

    /** Our value of a row in a column; empty if there is none. */
    OptionalDouble ours(String program, String column) {
        int index = columns.indexOf(column);
        return rows.stream()
                .filter(row -> index >= 0 && row.program().equals(program))
                .map(row -> row.cells().get(index).ours())
                .findFirst()
                .orElse(OptionalDouble.empty());
    }

    /** Columns of versions. */
    static List<String> labels(List<PaperVersion> versions) {
        return versions.stream().map(PaperVersion::label).toList();
    }

    /**
     * @param heading of the title, as for {@link String#format}
     * @param limit of ratios: those beyond are marked
     */
    String markdown(String heading, double limit) {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, heading, title));
        text.append("\n\n");
        boolean isCompared =
                rows.stream().anyMatch(row -> row.cells().stream().anyMatch(Cell::isInPaper));
        List<String> header = new ArrayList<>(List.of("program"));
        for (String column : columns) {
            header.add(column);
            header.addAll(isCompared ? List.of("paper", "ratio") : List.of());
        }
        text.append("| ").append(String.join(" | ", header)).append(" |\n| ---");
        text.append(" | ---:".repeat(header.size() - 1)).append(" |\n");
        for (Row row : rows) {
            text.append("| ").append(row.program());
            for (Cell cell : row.cells()) {
                text.append(" | ").append(number(cell.ours(), decimals, NOTHING));
                if (isCompared) {
                    text.append(" | ").append(number(cell.paper(), decimals, NOTHING));
                    String ratio = number(cell.ratio(), 2, NOTHING);
                    text.append(" | ").append(isBeyond(ratio, limit) ? "**" + ratio + "**" : ratio);
                }
            }
            text.append(" |\n");
        }
        return text.toString();
    }

    /** One line for each cell. */
    String csv(boolean withHeader) {
        StringBuilder text = new StringBuilder(withHeader ? CSV_HEADER + "\n" : "");
        for (Row row : rows) {
            for (int i = 0; i < columns.size(); i++) {
                Cell cell = row.cells().get(i);
                text.append(quoted(title)).append(',');
                text.append(quoted(row.program())).append(',');
                text.append(quoted(columns.get(i))).append(',');
                text.append(number(cell.ours(), decimals, "")).append(',');
                text.append(number(cell.paper(), decimals, "")).append(',');
                text.append(number(cell.ratio(), 2, "")).append('\n');
            }
        }
        return text.toString();
    }

    /**
     * Whether a ratio is so far from 1, in one direction or the other.
     *
     * @param ratio as it is shown; one that is missing is not
     * @param limit infinite if no ratio is
     */
    static boolean isBeyond(String ratio, double limit) {
        if (Double.isInfinite(limit) || ratio.isEmpty() || ratio.equals(NOTHING)) {
            return false;
        }
        double shown = Double.parseDouble(ratio);
        return shown > limit || shown * limit < ROUNDED_ONE;
    }

    private static String number(OptionalDouble value, int decimals, String otherwise) {
        if (value.isEmpty()) {
            return otherwise;
        }
        String text = String.format(Locale.ROOT, "%." + decimals + "f", value.getAsDouble());
        return NEGATIVE_ZERO.matcher(text).matches() ? text.substring(1) : text;
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }
}
