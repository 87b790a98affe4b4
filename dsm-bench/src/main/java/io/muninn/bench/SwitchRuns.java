package io.muninn.bench;

import io.muninn.bench.live.Measured;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Runs the operations that a switch affects without it and with it, all on one processor. */
final class SwitchRuns {
    private final Context context;
    private final LiveRuns live;

    SwitchRuns(Context context) {
        this.context = context;
        live = new LiveRuns(context);
    }

    void run() throws IOException, InterruptedException {
        for (Switch each : Switch.ALL) {
            try {
                compare(each);
            } catch (BenchmarkFailedException failed) {
                context.results().fail(each.option() + ": " + failed.getMessage());
            }
        }
    }

    private void compare(Switch tried) throws IOException, InterruptedException {
        context.say(Placement.ONE_CPU, tried.option() + " " + tried.off() + " and " + tried.on());
        List<Measured> off = measure(tried, tried.off());
        List<Measured> on = measure(tried, tried.on());
        for (String operation : tried.operations()) {
            Optional<Measured> without = named(off, operation);
            Optional<Measured> with = named(on, operation);
            if (without.isPresent() && with.isPresent()) {
                context.results()
                        .add(
                                new SwitchRow(
                                        tried.name(),
                                        tried.option() + " " + tried.off() + ", " + tried.on(),
                                        operation,
                                        without.get().medianNanos(),
                                        with.get().medianNanos()));
            }
        }
    }

    private List<Measured> measure(Switch tried, String value)
            throws IOException, InterruptedException {
        return live.run(
                Placement.ONE_CPU, tried.nodes(), tried.groups(), List.of(tried.option(), value));
    }

    private static Optional<Measured> named(List<Measured> all, String name) {
        return all.stream().filter(each -> each.name().equals(name)).findFirst();
    }
}
