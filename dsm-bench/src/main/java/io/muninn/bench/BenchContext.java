package io.muninn.bench;

import io.muninn.launch.process.ScratchFolder;
import io.muninn.report.ReportFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The request, results, temporary files and progress output that all benchmarks share. */
record BenchContext(
        BenchRequest request, Results results, ScratchFolder scratch, PrintWriter progress) {
    boolean isAsked(Group group) {
        return request.groups().contains(group);
    }

    /**
     * Placements in which single operations are measured. A quick run uses one processor only,
     * because most limits apply there.
     */
    List<Placement> placements() {
        return isQuick() ? List.of(Placement.ONE_CPU) : List.of(Placement.values());
    }

    boolean isQuick() {
        return request.quick();
    }

    /** Prints one line of progress, on a terminal only. */
    void say(Placement placement, String what) {
        say(what + ", " + placement.words());
    }

    void say(String what) {
        progress.println("bench: " + what);
        progress.flush();
    }

    /** A measurement, which may fail. */
    interface Attempt {
        void run() throws IOException, InterruptedException;
    }

    /** Records the failure of one measurement; the caller continues with the others. */
    void attempt(String what, Attempt attempt) throws IOException, InterruptedException {
        try {
            attempt.run();
        } catch (BenchmarkFailedException failed) {
            results.fail(what + ": " + failed.getMessage());
        }
    }

    /** Writes the results measured so far, so that an interrupted run keeps them. */
    void save() throws IOException {
        new Page(results).write(request.folder());
        new LinkPage(results).write(request.folder());
        Optional<Path> json =
                request.json().filter(file -> Files.isRegularFile(file) || !Files.exists(file));
        if (json.isPresent() && !ReportFile.isStandardOutput(json.get())) {
            ReportFile.write(ResultsJson.text(results.allRows()), json.get());
        }
    }
}
