package io.muninn.bench;

import io.muninn.bench.series.Measured;
import io.muninn.launch.jvm.JvmFlags;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs {@link ViewAccessBenchmark} by JMH, in processes of its own. */
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
        String files = "-Djava.io.tmpdir=" + context.scratch().path(); // JMH's own
        command.addAll(1, List.of(ViewAccess.UNSAFE, files)); // after the JVM's program
        try (Child child = Child.start(placement.prefix(), command)) {
            List<String> ours =
                    child.rest().stream().filter(line -> line.startsWith(PREFIX)).toList();
            return MeasuredLines.read(ours, context::say);
        }
    }

    /** The same loop by another way of access. */
    static String sibling(String name, String way) {
        return name.substring(0, name.lastIndexOf('-')) + way;
    }
}
