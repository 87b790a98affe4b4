package io.muninn.bench.paper;

import io.muninn.api.spi.BuiltInProgram;
import io.muninn.coherence.ProtocolKind;
import io.muninn.sim.Violation;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import io.muninn.sim.delay.MachineModel;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.UpdateRules;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The runs of the study of many nodes, one after another: the largest take several GB.
 *
 * @param costs of the points whose runs are right, in order
 * @param failures one text for the user for each point of which a run is not
 */
record ScalingRuns(Map<ScalingPoint, ScalingCost> costs, List<String> failures) {
    /** The last sweep is counted. */
    private static final int SWEEPS = 3;

    ScalingRuns {
        costs = Collections.unmodifiableMap(new LinkedHashMap<>(costs));
        failures = List.copyOf(failures);
    }

    /** The protocols under which all nodes store to a grid, and their variants. */
    static List<ProtocolKind> kinds() {
        return Arrays.stream(ProtocolKind.values())
                .filter(kind -> !kind.protocol().isSealed())
                .filter(kind -> !kind.needsProcesses() && !kind.traits().has(Trait.POOLED))
                .toList();
    }

    /** The points of a program on some number of nodes, one for each protocol. */
    static List<ScalingPoint> points(ScalingPoint.Program program, int nodes) {
        return kinds().stream().map(kind -> new ScalingPoint(program, kind, nodes)).toList();
    }

    /** These runs, and further ones behind them. */
    ScalingRuns plus(ScalingRuns others) {
        Map<ScalingPoint, ScalingCost> all = new LinkedHashMap<>(costs);
        all.putAll(others.costs);
        List<String> allFailures = new ArrayList<>(failures);
        allFailures.addAll(others.failures);
        return new ScalingRuns(all, allFailures);
    }

    /**
     * @param installed programs by name
     * @param progress receives a line for each point
     */
    static ScalingRuns of(
            List<ScalingPoint> points,
            Map<String, BuiltInProgram> installed,
            PrintWriter progress) {
        Map<ScalingPoint, ScalingCost> costs = new LinkedHashMap<>();
        List<String> failures = new ArrayList<>();
        for (ScalingPoint point : points) {
            try {
                costs.put(point, run(point, installed));
                progress.println(
                        String.format(
                                Locale.ROOT,
                                "%s: %.3f ms a sweep",
                                point.text(),
                                costs.get(point).nanos() / 1e6));
            } catch (Violation | IllegalStateException | IllegalArgumentException failed) {
                failures.add(point.text() + ": " + failed.getMessage());
            }
        }
        return new ScalingRuns(costs, failures);
    }

    private static ScalingCost run(ScalingPoint point, Map<String, BuiltInProgram> installed) {
        BuiltInProgram program = installed.get(point.program().word());
        if (program == null) {
            throw new IllegalStateException("program " + point.program().word() + " is missing");
        }
        List<String> options = point.options(SWEEPS);
        SweepSums sums = new SweepSums();
        AppResult result =
                AppRun.of(() -> program.create(options), point.nodes())
                        .protocol(point.kind().protocol())
                        .updates(point.kind().rules(UpdateRules.DEFAULT))
                        .model(MachineModel.RACK)
                        .observers(List.of(sums))
                        .run();
        if (!result.isGood()) {
            throw new IllegalStateException(
                    result.failure()
                            .map(AppResult.Failure::text)
                            .orElse(result.verdict().detail()));
        }
        return sums.cost(SWEEPS, result);
    }

    /** All costs, by kind of message, as a CSV file. */
    String csv() {
        StringBuilder text =
                new StringBuilder("program,protocol,nodes,kind,messages,bytes,metadata\n");
        costs.forEach((point, cost) ->
                cost.byKind()
                        .forEach((kind, sent) ->
                                text.append(point.program().word())
                                        .append(',')
                                        .append(point.kind().word())
                                        .append(',')
                                        .append(point.nodes())
                                        .append(',')
                                        .append(kind)
                                        .append(',')
                                        .append(sent.messages())
                                        .append(',')
                                        .append(sent.bytes())
                                        .append(',')
                                        .append(ScalingCost.metadata(sent))
                                        .append('\n')));
        return text.toString();
    }
}
