package io.muninn.bench.paper;

import io.muninn.api.spi.BuiltInProgram;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import io.muninn.spi.NodeCounter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Messages and bytes of whole runs, live and simulated, side by side. */
final class LiveTable {
    private static final String HEADER =
            """
            # Live and simulated counts

            Written by `./dsm paper %s --live`; not to be edited. What the whole of a run
            sent, start and verification included: live on nodes of one machine, and in the
            simulator on pretended machines of the same pages and hold times. Where nodes race,
            live counts differ from run to run. Inputs are %s.

            | program | version | nodes | messages live | simulated | bytes live | simulated |
            | --- | --- | ---: | ---: | ---: | ---: | ---: |
            """;

    private final String paper;
    private final Map<String, BuiltInProgram> installed;
    private final boolean isQuick;
    private final LiveCounts live;
    private final PrintWriter progress;
    private final StringBuilder rows = new StringBuilder();
    private final List<String> failures = new ArrayList<>();

    /**
     * @param paper the name of its command
     */
    LiveTable(
            String paper,
            Map<String, BuiltInProgram> installed,
            boolean isQuick,
            LiveCounts live,
            PrintWriter progress) {
        this.paper = paper;
        this.installed = installed;
        this.isQuick = isQuick;
        this.live = live;
        this.progress = progress;
    }

    /** Runs a program both ways. */
    void add(PaperProgram program, PaperVersion version, int nodes) throws InterruptedException {
        RunKey key = new RunKey(program.name(), version, nodes);
        List<String> options =
                new ArrayList<>(isQuick ? program.quickOptions() : program.options());
        options.addAll(version.options(Known.of(installed, program.program())));
        List<String> words = new ArrayList<>(List.of(program.program()));
        words.addAll(options);
        LiveCounts.Outcome outcome = live.run(nodes, version.protocol(), words);
        Optional<LiveCounts.Sent> sent = outcome.sent();
        progress.println("live " + key + (sent.isEmpty() ? " FAILED" : ""));
        progress.flush();
        if (sent.isEmpty()) {
            failures.add(key + ": the live run failed, " + outcome.failure());
            return;
        }
        BuiltInProgram builtIn = Known.of(installed, program.program());
        AppRun run = AppRun.of(() -> builtIn.create(options), nodes);
        version.protocol().ifPresent(run::protocol);
        AppResult simulated = run.run();
        rows.append(
                String.format(
                        Locale.ROOT,
                        "| %s | %s | %d | %d | %d | %d | %d |\n",
                        program.title(),
                        version.label(),
                        nodes,
                        sent.get().messages(),
                        simulated.total(NodeCounter.MESSAGES),
                        sent.get().bytes(),
                        simulated.total(NodeCounter.BYTES)));
    }

    String markdown() {
        String sizes = isQuick ? "small, those of `--quick`" : "as large as the paper's";
        return String.format(Locale.ROOT, HEADER, paper, sizes) + rows;
    }

    List<String> failures() {
        return failures;
    }
}
