package io.muninn.bench;

import io.muninn.bench.series.Measured;
import io.muninn.launch.process.Progress;
import io.muninn.launch.process.ScratchFolder;
import io.muninn.report.ReportFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs all requested benchmarks and writes their results. */
final class Suite {
    private Suite() {}

    /**
     * Measures, prints a table, and writes the page and the JSON file.
     *
     * @param err receives what has failed, and the progress if it is a terminal
     * @return true if everything requested was measured
     * @throws IOException if results cannot be written
     */
    static boolean run(BenchRequest request, PrintWriter out, PrintWriter err)
            throws IOException, InterruptedException {
        Placement.requireTaskset();
        Thread end = Thread.ofPlatform().unstarted(() -> sayWhatIsKept(request, err));
        Runtime.getRuntime().addShutdownHook(end);
        Results results = new Results(MeasuredMachine.read(), request.quick());
        try (ScratchFolder scratch = new ScratchFolder()) {
            measure(new BenchContext(request, results, scratch, Progress.writer(err)));
        }
        Runtime.getRuntime().removeShutdownHook(end);
        out.print(new TextTable(results).text());
        out.println("the page is " + request.folder().resolve(Page.FILE));
        out.flush();
        results.failures().forEach(failure -> err.println("dsm bench: " + failure));
        err.flush();
        if (request.json().isPresent()) {
            ReportFile.write(ResultsJson.text(results.allRows()), request.json().get());
        }
        boolean isWhole = results.failures().isEmpty();
        if (isWhole && request.documents().isPresent()) {
            if (!request.groups().equals(List.of(Group.LINKS))) {
                new Page(results).write(request.documents().get());
            }
            new LinkPage(results).write(request.documents().get());
        }
        return isWhole;
    }

    /** Measures all groups that were requested and saves the results after each. */
    private static void measure(BenchContext context) throws IOException, InterruptedException {
        context.save();
        for (Placement placement : context.placements()) {
            measureOperations(context, placement);
        }
        if (context.isAsked(Group.SHAPES)) {
            context.say(Placement.UNPINNED, "shapes");
            context.attempt("shapes", () -> ShapeRuns.run(context));
            context.save();
        }
        if (context.isAsked(Group.STARTS)) {
            new StartRuns(context).run();
            context.save();
        }
        if (context.isAsked(Group.APPS)) {
            new AppRuns(context).run();
            context.save();
        }
        if (context.isAsked(Group.LINKS)) {
            new LinkRuns(context).run();
        }
        if (context.isAsked(Group.SWITCHES)) {
            new SwitchRuns(context).run();
        }
        context.results().finish();
        context.save();
    }

    /** Tells the user of an interrupted run where the results are. */
    private static void sayWhatIsKept(BenchRequest request, PrintWriter err) {
        err.println(
                "dsm bench: ended before its end; what was measured is in "
                        + request.folder().resolve(Page.FILE));
        err.flush();
    }

    /**
     * Measures single operations and their floors. The floor of a release sends as many bytes as
     * the release did.
     */
    private static void measureOperations(BenchContext context, Placement placement)
            throws IOException, InterruptedException {
        if (context.isAsked(Group.ACCESS)) {
            context.say(placement, "access");
            List<Measured> loops = new ArrayList<>();
            context.attempt("access", () -> loops.addAll(AccessRuns.run(context, placement)));
            context.results().add(placement, loops, List.of());
            context.save();
        }
        LiveRuns live = new LiveRuns(context);
        measureOwn(context, placement, Group.PROCESSES, () -> new SiblingRuns(live).run(placement));
        measureOwn(context, placement, Group.REMOTES, () -> new RemoteRuns(live).run(placement));
        measureOwn(context, placement, Group.POOL, () -> new PoolRuns(live).run(placement));
        Map<String, Measured> floors = new LinkedHashMap<>(); // by name
        for (int nodes : LiveRuns.NODES) {
            List<Group> groups = live.groups(nodes);
            if (!groups.isEmpty()) {
                context.say(placement, nodes + (nodes == 1 ? " node: " : " nodes: ") + groups);
                measureLive(context, live, placement, nodes)
                        .forEach(floor -> floors.putIfAbsent(floor.name(), floor));
            }
            boolean isPaired = nodes == PairedRuns.NODES && PairedRuns.isFor(placement);
            if (isPaired && groups.contains(Group.FAULTS)) {
                measurePaired(context, live).forEach(floor -> floors.put(floor.name(), floor));
            }
        }
        context.results().addFloors(placement, List.copyOf(floors.values()));
    }

    private interface Runs {
        List<Measured> run() throws IOException, InterruptedException;
    }

    /** Measures a group that has runs of its own, if it was requested. */
    private static void measureOwn(
            BenchContext context, Placement placement, Group group, Runs runs)
            throws IOException, InterruptedException {
        if (context.isAsked(group)) {
            context.say(placement, group.word());
            List<Measured> all = new ArrayList<>();
            context.attempt(group.word(), () -> all.addAll(runs.run()));
            context.results().add(placement, all, List.of());
            context.save();
        }
    }

    /**
     * Measures operations on {@code nodes} nodes, then their floors.
     *
     * @return the floors
     */
    private static List<Measured> measureLive(
            BenchContext context, LiveRuns live, Placement placement, int nodes)
            throws IOException, InterruptedException {
        FloorRuns floorRuns = new FloorRuns(context, placement.prefix());
        List<Measured> operations = new ArrayList<>();
        List<Measured> floors = new ArrayList<>();
        context.attempt("floors in C", floorRuns::measureInC);
        for (List<Group> groups : live.runs(nodes)) {
            context.attempt(
                    nodes + " nodes: " + groups,
                    () -> operations.addAll(live.run(placement, nodes, groups)));
        }
        context.say(placement, "their floors");
        context.attempt("floors", () -> floors.addAll(floorRuns.run(operations)));
        context.results().add(placement, operations, floors);
        context.save();
        return floors;
    }

    /**
     * Measures the operation that takes turns with its floors.
     *
     * @return the floors
     */
    private static List<Measured> measurePaired(BenchContext context, LiveRuns live)
            throws IOException, InterruptedException {
        Placement placement = PairedRuns.PLACEMENT;
        context.say(placement, PairedRuns.OPERATION + " and its floors by turns");
        List<Measured> all = new ArrayList<>();
        context.attempt(
                PairedRuns.OPERATION, () -> all.addAll(new PairedRuns(context, live).run()));
        List<Measured> floors = new ArrayList<>(all);
        floors.removeIf(each -> each.name().equals(PairedRuns.OPERATION));
        all.removeIf(each -> !each.name().equals(PairedRuns.OPERATION));
        context.results().add(placement, all, floors);
        context.save();
        return floors;
    }
}
