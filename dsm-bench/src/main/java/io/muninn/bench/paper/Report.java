package io.muninn.bench.paper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Writes what came of all runs on one kind of machines: {@code table-N.md} and {@code .csv}, {@code
 * figure-N.svg}, {@code runs.csv} with every run, and {@code results.md}, which shows them all.
 */
final class Report {
    private static final String RUNS_HEADER =
            "program,version,nodes,speedup,seconds,messages,packets,bytes,faults,"
                    + "faultSeconds,lockSeconds,signalSeconds,callSeconds,barrierSeconds,"
                    + "receiveSeconds\n";

    private final Publication publication;
    private final CostModel model;
    private final PaperResults results;
    private final PaperValues values;
    private final boolean isQuick;
    private final List<Claim> claims;

    Report(
            Publication publication,
            CostModel model,
            PaperResults results,
            PaperValues values,
            boolean isQuick) {
        this.publication = publication;
        this.model = model;
        this.results = results;
        this.values = model.isByProgram() ? values : PaperValues.NONE; // of its machines alone
        this.isQuick = isQuick;
        this.claims = List.copyOf(publication.claims(results, this.values));
    }

    /** What the paper says of its results, beside ours. */
    List<Claim> claims() {
        return claims;
    }

    /**
     * @param further line of the contents, or nothing
     */
    void write(Path folder, String further) throws IOException {
        boolean isOnPages = publication.isOnPages();
        List<String> missing = new ArrayList<>();
        Map<String, String> images = draw(folder, missing);
        StringBuilder page = new StringBuilder(heading());
        if (isOnPages) {
            Files.writeString(folder.resolve("costs.md"), pageHeading("Costs") + "\n" + models());
            page.append("* [What things cost](costs.md)\n");
        } else {
            page.append(models());
        }
        for (Map.Entry<String, List<Comparison>> each :
                publication.tables(model.name(), results, values).entrySet()) {
            String file = fileName(each.getKey());
            String image = isOnPages ? Objects.requireNonNullElse(images.remove(file), "") : "";
            page.append(table(folder, each.getKey(), image, each.getValue()));
        }
        if (!claims.isEmpty()) {
            page.append(isOnPages ? claimsPage(folder) : "## Claims\n\n" + table(claims) + "\n");
        }
        page.append(further);
        page.append(isOnPages ? "\n" : "");
        page.append(images.isEmpty() ? "" : "## Figures\n\n" + String.join("", images.values()));
        if (!missing.isEmpty()) {
            page.append("Not drawn, because what they compare was not run: ");
            page.append(String.join("; ", missing)).append(".\n\n");
        }
        page.append(failures());
        page.append("Every run: [runs.csv](runs.csv).\n");
        Files.writeString(folder.resolve("results.md"), page);
        Files.writeString(folder.resolve("runs.csv"), runs());
    }

    /**
     * Draws all figures.
     *
     * @param missing receives those that cannot be drawn
     * @return what shows each in a page, by the name of its file
     */
    private Map<String, String> draw(Path folder, List<String> missing) throws IOException {
        Map<String, String> images = new LinkedHashMap<>();
        for (SpeedupFigure figure : publication.figures(model.name())) {
            Plot plot = new Plot(figure, results, values);
            if (plot.isPossible()) {
                plot.write(folder);
                images.put(figure.fileName(), image(figure.number(), figure.fileName()));
            } else {
                missing.add(figure.number() + " (" + figure.title() + ")");
            }
        }
        for (Figure figure : publication.drawn(model.name(), values)) {
            if (figure.write(results, folder)) {
                images.put(figure.fileName(), image(figure.number(), figure.fileName()));
            } else {
                missing.add(figure.number() + " (" + figure.title() + ")");
            }
        }
        return images;
    }

    private static String image(int number, String file) {
        return String.format(Locale.ROOT, "![Figure %d](%s.svg)\n\n", number, file);
    }

    private String claimsPage(Path folder) throws IOException {
        StringBuilder page = new StringBuilder(pageHeading("Claims"));
        Claim.bySection(claims)
                .forEach((section, each) ->
                        page.append("\n## ").append(section).append("\n\n").append(table(each)));
        Files.writeString(folder.resolve("claims.md"), page);
        return String.format(
                Locale.ROOT,
                "* [Claims](claims.md): %d of %d hold\n",
                claims.stream().filter(Claim::isHeld).count(),
                claims.size());
    }

    static String table(List<Claim> claims) {
        StringBuilder text = new StringBuilder("| claim of the paper | paper | ours | held |\n");
        text.append("| --- | ---: | ---: | --- |\n");
        for (Claim claim : claims) {
            String held = claim.isHeld() ? "yes" : "**no**";
            text.append("| ").append(claim.text());
            text.append(" | ").append(claim.paper());
            text.append(" | ").append(claim.ours());
            text.append(" | ").append(held).append(" |\n");
        }
        return text.toString();
    }

    private String heading() {
        String sizes =
                isQuick
                        ? "**Small sizes, for a test: of the paper these numbers say nothing.**\n"
                        : "Programs at the paper's sizes.\n";
        return "# "
                + publication.title()
                + ", machines of "
                + model.name()
                + "\n\nWritten by `./dsm paper "
                + publication.name()
                + "`; not to be edited.\n"
                + sizes
                + "\n";
    }

    private String models() {
        StringBuilder text = new StringBuilder("## What things cost\n\n");
        text.append("| parameter | value | source |\n| --- | ---: | --- |\n");
        for (Sheet.Row row : model.rows()) {
            text.append("| ").append(String.join(" | ", row.cells())).append(" |\n");
        }
        text.append("\n| program | options | sequential seconds | source |\n");
        text.append("| --- | --- | ---: | --- |\n");
        for (PaperProgram program : results.programs()) {
            List<String> options = isQuick ? program.quickOptions() : program.options();
            text.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | `%s` | %s | %s |\n",
                            program.title(),
                            (program.program() + " " + String.join(" ", options)).strip(),
                            decimal(Known.of(results.sequentialSeconds(), program.name())),
                            model.isByProgram() && !isQuick
                                    ? program.source()
                                    : "units of work at a fixed cost"));
        }
        return text.append('\n').toString();
    }

    /**
     * Writes a table; returns it, or what leads to its page.
     *
     * @param image what shows its figure, or nothing
     */
    private String table(Path folder, String title, String image, List<Comparison> comparisons)
            throws IOException {
        String heading = publication.isOnPages() ? "## %s" : "**%s**";
        String tables =
                comparisons.stream()
                        .map(each -> each.markdown(heading, publication.explainedBeyond()))
                        .collect(Collectors.joining("\n"));
        String markdown =
                publication.isOnPages()
                        ? pageHeading(title) + marked() + "\n" + image + tables
                        : tables;
        StringBuilder csv = new StringBuilder();
        for (Comparison comparison : comparisons) {
            csv.append(comparison.csv(csv.isEmpty()));
        }
        String file = fileName(title);
        Files.writeString(folder.resolve(file + ".md"), markdown);
        Files.writeString(folder.resolve(file + ".csv"), csv);
        return publication.isOnPages()
                ? "* [" + title + "](" + file + ".md)\n" + contents(file, comparisons)
                : "## " + title + "\n\n" + markdown + "\n";
    }

    private static String fileName(String title) {
        return title.toLowerCase(Locale.ROOT).replace(' ', '-');
    }

    /** Without a title in its first line, a page is a part of the page of results. */
    private String pageHeading(String title) {
        return String.format(
                Locale.ROOT,
                """
                [%s, machines of %s](results.md)

                # %s

                Written by `./dsm paper %s`; not to be edited.
                """,
                publication.title(),
                model.name(),
                title,
                publication.name());
    }

    private String marked() {
        double limit = publication.explainedBeyond();
        return Double.isInfinite(limit) || values.isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        "Bold ratios are beyond %.1f, either way; the README has causes.\n",
                        limit);
    }

    /** A link to each table of a page. */
    private static String contents(String file, List<Comparison> comparisons) {
        return comparisons.stream()
                .map(Comparison::title)
                .map(title -> "  * [" + title + "](" + file + ".md#" + anchor(title) + ")\n")
                .collect(Collectors.joining());
    }

    /** Of a heading, as GitHub makes it. */
    private static String anchor(String title) {
        String words = title.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "");
        return words.replace(' ', '-');
    }

    private String failures() {
        if (results.failures().isEmpty()) {
            return "";
        }
        return "Runs that failed:\n\n"
                + results.failures().stream()
                        .map(failure -> "* " + failure.lines().findFirst().orElse("") + "\n")
                        .collect(Collectors.joining())
                + "\n";
    }

    private String runs() {
        StringBuilder csv = new StringBuilder(RUNS_HEADER);
        results.runs()
                .forEach((key, run) -> {
                    double speedup =
                            Known.of(results.sequentialSeconds(), key.program()) / run.seconds();
                    csv.append(
                            String.format(
                                    Locale.ROOT,
                                    "%s,%s,%d,%s,%s,%d,%d,%d,%d,%s,%s,%s,%s,%s,%s\n",
                                    key.program(),
                                    key.version().word(),
                                    key.nodes(),
                                    decimal(speedup),
                                    decimal(run.seconds()),
                                    run.messages(),
                                    run.packets(),
                                    run.bytes(),
                                    run.faults(),
                                    decimal(run.faultSeconds()),
                                    decimal(run.lockSeconds()),
                                    decimal(run.signalSeconds()),
                                    decimal(run.callSeconds()),
                                    decimal(run.barrierSeconds()),
                                    decimal(run.receiveSeconds())));
                });
        return csv.toString();
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }
}
