package io.muninn.bench;

import io.muninn.launch.process.ScratchFolder;
import io.muninn.report.ReportFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What every part of a run of the benchmarks needs. */
record BenchContext(
        BenchRequest request, Results results, ScratchFolder scratch, PrintWriter progress) {
    boolean isAsked(Group group) {
        return request.groups().contains(group);
    }

    /** Where single operations are measured. Limits are for one processor, so that is enough. */
    List<Placement> placements() {
        return isQuick() ? List.of(Placement.ONE_CPU) : List.of(Placement.values());
    }

    boolean isQuick() {
        return request.quick();
    }

    /** One line about what runs now. */
    void say(Placement placement, String what) {
        say(what + ", " + placement.words());
    }

    void say(String what) {
        progress.println("bench: " + what);
        progress.flush();
    }

    /** Writes what was measured by now: whoever ends the rest keeps it. */
    void save() throws IOException {
        new Page(results).write(request.folder());
        Optional<Path> json =
                request.json().filter(file -> Files.isRegularFile(file) || !Files.exists(file));
        if (json.isPresent() && !ReportFile.isStandardOutput(json.get())) {
            ReportFile.write(ResultsJson.text(results.rows()), json.get());
        }
    }
}
