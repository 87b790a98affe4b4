package io.muninn.bench.paper;

import picocli.CommandLine.Command;

/** {@code dsm paper munin}: Munin's Tables 2 to 5 and its figures of speedups. */
@Command(name = "munin", description = "Munin's tables and figures, from simulated runs.")
final class MuninCommand extends PaperRunCommand {
    MuninCommand() {
        super(new Munin());
    }
}
