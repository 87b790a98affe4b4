package io.muninn.verify.search;

import io.muninn.launch.option.Ranges;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the number of runs at a time. */
final class JobsOption {
    private static final int JOBS_MAX = 1024;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "runs at a time (default: as many as there are processors)")
    private @Nullable Integer jobs; // null if not given

    /**
     * @throws IllegalArgumentException if it is outside its range; the text is for the user
     */
    int number() {
        if (jobs == null) {
            return Runtime.getRuntime().availableProcessors();
        }
        Ranges.require("--jobs", jobs, 1, JOBS_MAX);
        return jobs;
    }
}
