package io.muninn.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** How far above its floor an operation may be. */
final class Limits {
    private static final double VIEW = 1.08;

    /** Of loops of few rounds each, which have to be set up. */
    private static final double VIEW_IN_SHORT_LOOPS = 1.35;

    /** By name of the row; in the order in which they are shown. */
    private static final Map<String, Double> ON_ONE_CPU = onOneCpu();

    private static final Map<String, Double> UNPINNED =
            Map.of(AppRuns.MULT, 1.05, AppRuns.DIFF, 1.08, StartRuns.STARTED, 1.5);

    private Limits() {}

    private static Map<String, Double> onOneCpu() {
        Map<String, Double> limits = new LinkedHashMap<>();
        limits.put("fault-write-local", 1.3);
        limits.put("fault-read-remote", 1.5);
        limits.put("lock-passed", 1.5);
        limits.put("lock-again", 3.0);
        limits.put("barrier-4", 2.0);
        limits.put("release-256-1", 2.0);
        return limits;
    }

    /** The limit of a row; empty without one. */
    static OptionalDouble of(String name, Placement placement) {
        if (placement.isPinned()) {
            if (name.startsWith(AccessRuns.PREFIX) && name.endsWith(AccessRuns.VIEW)) {
                return OptionalDouble.of(name.contains("product") ? VIEW_IN_SHORT_LOOPS : VIEW);
            }
            Double limit = ON_ONE_CPU.get(name);
            return limit == null ? OptionalDouble.empty() : OptionalDouble.of(limit);
        }
        Double limit = UNPINNED.get(name);
        return limit == null ? OptionalDouble.empty() : OptionalDouble.of(limit);
    }
}
