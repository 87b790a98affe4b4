package io.muninn.bench;

import io.muninn.bench.series.Measured;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Measures operations and programs with each optimisation off and on: operations on one processor,
 * programs unpinned.
 */
final class SwitchRuns {
    private final BenchContext context;
    private final LiveRuns live;
    private final AppRuns apps;

    SwitchRuns(BenchContext context) {
        this.context = context;
        live = new LiveRuns(context);
        apps = new AppRuns(context);
    }

    void run() throws IOException, InterruptedException {
        Set<String> tried = new HashSet<>();
        for (Switch each : Switch.ALL) {
            if (!tried.add(each.option() + " " + each.off()) && context.isQuick()) {
                continue; // other operations of the same switch
            }
            try {
                compare(each);
            } catch (BenchmarkFailedException failed) {
                context.results().fail(each.option() + ": " + failed.getMessage());
            }
        }
    }

    private void compare(Switch tried) throws IOException, InterruptedException {
        context.say(tried.option() + " " + tried.off() + " and " + tried.on());
        if (!tried.operations().isEmpty()) {
            compareOperations(tried);
        }
        if (context.isQuick() && !tried.operations().isEmpty()) {
            return; // its operations show that the switch works
        }
        for (String app : tried.apps()) {
            List<Measured> both =
                    apps.shared(app, List.of(tried.words(tried.off()), tried.words(tried.on())));
            if (!both.isEmpty()) {
                add(tried, app, both.getFirst(), both.getLast());
            }
        }
    }

    private void compareOperations(Switch tried) throws IOException, InterruptedException {
        Map<String, Measured> off = operations(tried, tried.off());
        Map<String, Measured> on = operations(tried, tried.on());
        for (String operation : tried.operations()) {
            if (off.containsKey(operation) && on.containsKey(operation)) {
                add(tried, operation, off.get(operation), on.get(operation));
            }
        }
    }

    private void add(Switch tried, String operation, Measured off, Measured on) {
        context.results()
                .add(
                        new SwitchRow(
                                tried.name(),
                                String.join(" ", tried.words(tried.off())) + ", " + tried.on(),
                                operation,
                                off.medianNanos(),
                                on.medianNanos()));
    }

    /** Measures the operations of a switch with one value of its option; returns them by name. */
    private Map<String, Measured> operations(Switch tried, String value)
            throws IOException, InterruptedException {
        List<String> options = tried.words(value);
        List<Measured> all =
                tried.group() == Group.STARTS
                        ? List.of(new StartRuns(context).started(options))
                        : live.run(
                                Placement.ONE_CPU.prefix(),
                                tried.nodes(),
                                tried.group(),
                                tried.operations(),
                                options);
        return all.stream().collect(Collectors.toMap(Measured::name, each -> each));
    }
}
