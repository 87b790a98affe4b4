package io.muninn.bench.paper;

import picocli.CommandLine.Command;

/** {@code dsm paper mowry}: prefetching and multithreading on lazy pages. */
@Command(
        name = "mowry",
        description = "Prefetching and multithreading: tables and figures, from simulated runs.")
final class MowryCommand extends PaperRunCommand {
    MowryCommand() {
        super(new Mowry());
    }
}
