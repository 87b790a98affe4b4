package io.muninn.bench.paper;

import io.muninn.api.spi.BuiltInProgram;
import io.muninn.launch.LiveCounts;
import io.muninn.launch.Paper;
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

/**
 * Munin's tables and figures from runs of ours: the programs of the paper, in its versions, on its
 * machines and on those of today.
 *
 * <p>Source: Carter, Bennett and Zwaenepoel, "Techniques for Reducing Consistency-Related
 * Communication in Distributed Shared Memory Systems", sections 5 to 8.
 */
final class MuninPaper implements Paper.Runs {
    /** The machines of the paper; their results lie in the folder itself. */
    static final String OF_THE_PAPER = "1991";

    /** Machines of today. */
    static final String TODAY = "today";

    /** The names of all models. */
    private static final List<String> MODELS = List.of(OF_THE_PAPER, TODAY);

    private static final String MODEL_SHEET = "munin-model.txt";
    private static final String VALUE_SHEET = "munin-values.txt";

    private static final List<PaperVersion> IN_TABLES =
            List.of(
                    PaperVersion.MESSAGES,
                    PaperVersion.MUNIN,
                    PaperVersion.NO_TIMEOUT,
                    PaperVersion.CONVENTIONAL);

    private final Paper.Request request;
    private final List<String> models;
    private final Sheet sheet = Sheet.resource(MODEL_SHEET);
    private final PaperValues values = new PaperValues(Sheet.resource(VALUE_SHEET));
    private final SortedMap<String, BuiltInProgram> installed;
    private final List<PaperProgram> programs;

    /**
     * @param installed programs by name
     * @throws IllegalArgumentException if the request names an unknown program or model
     */
    MuninPaper(Paper.Request request, SortedMap<String, BuiltInProgram> installed) {
        this.request = request;
        this.models = request.models().isEmpty() ? MODELS : request.models();
        this.installed = new TreeMap<>(installed);
        this.programs = chosen();
        for (String model : models) {
            if (!MODELS.contains(model)) {
                throw new IllegalArgumentException(
                        "unknown model '" + model + "' (known: " + String.join(", ", MODELS) + ")");
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

    @Override
    public List<String> simulate(Path folder, PrintWriter progress)
            throws IOException, InterruptedException {
        List<String> failures = new ArrayList<>();
        for (String name : models) {
            CostModel model = CostModel.read(sheet, name);
            SimulatedRuns.Manner manner =
                    new SimulatedRuns.Manner(model, request.isQuick(), request.jobs());
            PaperResults results =
                    new SimulatedRuns(manner, installed, progress).run(wanted(), request.nodes());
            Path into = name.equals(OF_THE_PAPER) ? folder : folder.resolve(name);
            Files.createDirectories(into);
            new Report(model, results, values, request.isQuick()).write(into);
            failures.addAll(results.failures());
        }
        return failures;
    }

    /** The versions that tables and figures show, as far as programs and protocols have them. */
    private Map<PaperProgram, List<PaperVersion>> wanted() {
        Map<PaperProgram, List<PaperVersion>> wanted = new LinkedHashMap<>();
        for (PaperProgram program : programs) {
            BuiltInProgram builtIn = installed.get(program.program());
            List<PaperVersion> versions = new ArrayList<>();
            for (PaperVersion version : PaperVersion.values()) {
                boolean isShown =
                        IN_TABLES.contains(version)
                                || MuninFigure.ALL.stream()
                                        .anyMatch(each -> each.shows(program.name(), version));
                if (isShown && version.isPossible(builtIn)) {
                    versions.add(version);
                }
            }
            wanted.put(program, versions);
        }
        return wanted;
    }

    @Override
    public List<String> runLive(
            Path folder, List<Integer> nodes, LiveCounts live, PrintWriter progress)
            throws IOException, InterruptedException {
        LiveTable table = new LiveTable(installed, request.isQuick(), live, progress);
        for (Map.Entry<PaperProgram, List<PaperVersion>> each : wanted().entrySet()) {
            for (PaperVersion version : each.getValue()) {
                if (version == PaperVersion.NO_TIMEOUT) {
                    continue; // differs from Munin's by an option of the run, not of the program
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
