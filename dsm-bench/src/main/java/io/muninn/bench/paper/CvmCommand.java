package io.muninn.bench.paper;

import picocli.CommandLine.Command;

/** {@code dsm paper cvm}: CVM's speedups, times and tables. */
@Command(name = "cvm", description = "CVM's speedups, times and tables, from simulated runs.")
final class CvmCommand extends PaperRunCommand {
    CvmCommand() {
        super(new Cvm());
    }
}
