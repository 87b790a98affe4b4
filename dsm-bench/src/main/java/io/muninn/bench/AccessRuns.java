package io.muninn.bench;

import io.muninn.bench.series.Measured;
import io.muninn.launch.jvm.JvmFlags;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs {@link ViewAccessBenchmark} with JMH in separate processes. */
final class AccessRuns {
    static final String PREFIX = "access-";
    static final String VIEW = "-view";
    static final String BARE = "-segment";
    static final String ARRAY = "-array";

    private AccessRuns() {}

    static List<Measured> run(BenchContext context, Placement placement)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(ViewAccess.LINES));
        if (context.isQuick()) {
            words.add(ViewAccess.QUICK);
        }
        List<String> command = new ArrayList<>(JvmFlags.ours(ViewAccess.class.getName(), words));
        String files = "-Djava.io.tmpdir=" + context.scratch().path(); // for JMH, too
        command.addAll(1, List.of(ViewAccess.UNSAFE, files)); // element 0 is the java launcher
        try (Child child = Child.start(placement.prefix(), command)) {
            List<String> ours =
                    child.rest().stream().filter(line -> line.startsWith(PREFIX)).toList();
            return MeasuredLines.read(ours, context::say);
        }
    }

    /** The name of the row that measures the same loop with another access method. */
    static String sibling(String name, String way) {
        return name.substring(0, name.lastIndexOf('-')) + way;
    }
}
