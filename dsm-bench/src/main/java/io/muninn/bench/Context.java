package io.muninn.bench;

import io.muninn.launch.Benchmarks;
import java.io.PrintWriter;
import java.util.List;

/** What every part of a run of the benchmarks needs. */
record Context(
        Benchmarks.Request request,
        Benchmarks.Processes processes,
        Results results,
        PrintWriter progress) {
    boolean isAsked(Group group) {
        return request.groups().contains(group.word());
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
}
