package io.muninn.bench.paper;

import picocli.CommandLine.Command;

/** {@code dsm paper hlrc}: home-based pages on nodes of several processors. */
@Command(
        name = "hlrc",
        description =
                "Home-based pages on nodes of several processors: tables and figures, from"
                        + " simulated runs.")
final class HlrcCommand extends PaperRunCommand {
    HlrcCommand() {
        super(new Hlrc());
    }
}
