package io.muninn.bench.paper;

import io.muninn.api.spi.BuiltInProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A paper's tables and figures from runs of ours: its programs in its versions, on its machines.
 */
final class PaperRuns {
    private final Publication publication;
    private final PaperRequest request;
    private final List<String> models;
    private final Sheet sheet;
    private final PaperValues values;
    private final SortedMap<String, BuiltInProgram> installed;
    private final List<PaperProgram> programs;

    /**
     * @param installed programs by name
     * @throws IllegalArgumentException if the request names an unknown program or model; the text
     *     is for the user
     */
    PaperRuns(
            Publication publication,
            PaperRequest request,
            SortedMap<String, BuiltInProgram> installed) {
        this.publication = publication;
        this.sheet = Sheet.resource(publication.name() + "-model.txt");
        this.values = new PaperValues(Sheet.resource(publication.name() + "-values.txt"));
        this.request = request;
        List<String> known = publication.models();
        this.models = request.models().isEmpty() ? known : request.models();
        this.installed = new TreeMap<>(installed);
        this.programs = chosen();
        for (String model : models) {
            if (!known.contains(model)) {
                throw new IllegalArgumentException(
                        "unknown model '" + model + "' (known: " + String.join(", ", known) + ")");
            }
        }
    }

    private List<PaperProgram> chosen() {
        List<PaperProgram> known =
                PaperProgram.read(sheet).stream()
                        .filter(program -> installed.containsKey(program.program()))
                        .toList();
        List<String> names = known.stream().map(PaperProgram::name).toList();
        for (String name : request.programs()) {
            if (!names.contains(name)) {
                throw new IllegalArgumentException(
                        "unknown program '" + name + "' (known: " + String.join(", ", names) + ")");
            }
        }
        return known.stream()
                .filter(program ->
                        request.programs().isEmpty() || request.programs().contains(program.name()))
                .toList();
    }

    /**
     * Simulates every run and writes tables and figures.
     *
     * @param folder made if it does not exist; files of other names in it stay
     * @param progress receives a line for each run
     * @return one text for the user for each run that failed
     * @throws IOException if the results cannot be written
     */
    List<String> simulate(Path folder, PrintWriter progress)
            throws IOException, InterruptedException {
        List<String> failures = new ArrayList<>();
        Map<PaperProgram, List<PaperVersion>> wanted = wanted();
        Map<String, SimulatedRuns.Charges> charges = new TreeMap<>(); // the same for all models
        Map<String, List<Claim>> claims = new LinkedHashMap<>();
        for (String name : models) {
            CostModel model = CostModel.read(sheet, name);
            SimulatedRuns.Manner manner =
                    new SimulatedRuns.Manner(publication, model, request.isQuick(), request.jobs());
            SimulatedRuns runs = new SimulatedRuns(manner, installed, progress);
            if (charges.isEmpty()) {
                charges.putAll(runs.charges(List.copyOf(wanted.keySet())));
            }
            PaperResults results = runs.run(wanted, nodes(), charges);
            failures.addAll(results.failures());
            Report report = new Report(publication, model, results, values, request.isQuick());
            boolean isFirst = name.equals(publication.models().getFirst());
            boolean isSetting = publication.settings().contains(name);
            if (isFirst || isSetting) {
                claims.put(name, report.claims());
            }
            if (!isSetting) {
                Path into = isFirst ? folder : folder.resolve(name);
                Files.createDirectories(into);
                report.write(into, isFirst && hasSettings() ? SettingsTable.LINK : "");
            }
        }
        if (hasSettings()) {
            new SettingsTable(claims).write(folder);
        }
        return failures;
    }

    /** Whether the first machines are compared with themselves in other settings. */
    private boolean hasSettings() {
        return !publication.settings().isEmpty()
                && models.contains(publication.models().getFirst())
                && models.containsAll(publication.settings());
    }

    /** Those of the request, and one for the sequential program if that is a run. */
    private List<Integer> nodes() {
        List<Integer> nodes = request.nodes().isEmpty() ? publication.nodes() : request.nodes();
        return publication.sequential().isEmpty() || nodes.contains(1)
                ? nodes
                : Stream.concat(Stream.of(1), nodes.stream()).toList();
    }

    /** The versions that tables and figures show, as far as programs and protocols have them. */
    private Map<PaperProgram, List<PaperVersion>> wanted() {
        Map<PaperProgram, List<PaperVersion>> wanted = new LinkedHashMap<>();
        List<SpeedupFigure> figures =
                models.stream().flatMap(model -> publication.figures(model).stream()).toList();
        for (PaperProgram program : programs) {
            BuiltInProgram builtIn = Known.of(installed, program.program());
            List<PaperVersion> versions = new ArrayList<>();
            for (PaperVersion version : PaperVersion.values()) {
                boolean isShown =
                        publication.inTables().contains(version)
                                || figures.stream()
                                        .anyMatch(each -> each.shows(program.name(), version));
                if (isShown && version.isPossible(builtIn)) {
                    versions.add(version);
                }
            }
            wanted.put(program, versions);
        }
        return wanted;
    }

    /**
     * Runs the programs live, simulates the same runs, and writes the counts of messages side by
     * side as {@code live.md}. All runs have the default update timeout.
     *
     * @param nodes counts
     * @return one text for the user for each run that failed
     */
    List<String> runLive(Path folder, List<Integer> nodes, LiveCounts live, PrintWriter progress)
            throws IOException, InterruptedException {
        LiveTable table =
                new LiveTable(publication.name(), installed, request.isQuick(), live, progress);
        for (Map.Entry<PaperProgram, List<PaperVersion>> each : wanted().entrySet()) {
            for (PaperVersion version : each.getValue()) {
                if (version.isOptionOfRun()) {
                    continue; // a live run here has an option for the protocol alone
                }
                for (int count : nodes) {
                    table.add(each.getKey(), version, count);
                }
            }
        }
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("live.md"), table.markdown());
        return table.failures();
    }
}
