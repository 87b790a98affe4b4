package io.muninn.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** Limits of the ratio of an operation to its floor, or of its median. */
final class Limits {
    private static final double VIEW = 1.08;

    /** For inner loops of few iterations, in which setting up the loop matters. */
    private static final double VIEW_IN_SHORT_LOOPS = 1.35;

    /** Limits of the ratio by name of the row, in the order of the page. */
    private static final Map<String, Double> ON_ONE_CPU = onOneCpu();

    private static final Map<String, Double> UNPINNED =
            Map.of(
                    AppRuns.MULT,
                    1.05,
                    AppRuns.DIFF,
                    1.08,
                    StartRuns.STARTED,
                    1.5,
                    "queue-remote-2",
                    1.15);

    /** Limits of the median by name of the row, in nanoseconds. */
    private static final Map<String, Double> NANOS_ON_ONE_CPU =
            Map.of(
                    "remote-add-own", 60.0,
                    "remote-aggregated", 1000.0,
                    "sibling-fault-16", 1500.0,
                    "sibling-lock", 300.0,
                    "sibling-lock-notice", 15_000.0);

    private static final Map<String, Double> NANOS_UNPINNED = Map.of("remote-add-2", 400.0);

    private static final double CHECKSUMS_OF_PROGRAMS = 1.05;
    private static final double CHECKSUMS_ON_ONE_HOST = 1.03;
    private static final double TLS = 1.25;

    private Limits() {}

    private static Map<String, Double> onOneCpu() {
        Map<String, Double> limits = new LinkedHashMap<>();
        limits.put("fault-write-local", 1.3);
        limits.put("fault-read-remote", 1.5);
        limits.put("lock-passed", 1.5);
        limits.put("lock-again", 3.0);
        limits.put("lock-read-again", 3.0);
        limits.put("barrier-4", 2.0);
        limits.put("release-256-1", 2.0);
        limits.put("queue-remote-2", 1.15);
        limits.put("pool-read", 1.8);
        limits.put("sibling-fault", 5.0);
        limits.put("sibling-release-2", 1.3);
        limits.put("sibling-barrier-1x4", 0.65);
        limits.put("sibling-barrier-2x2", 0.8);
        return limits;
    }

    /** The limit of a row's median; empty without one. */
    static OptionalDouble nanosOf(String name, boolean pinned) {
        Double limit = (pinned ? NANOS_ON_ONE_CPU : NANOS_UNPINNED).get(name);
        return limit == null ? OptionalDouble.empty() : OptionalDouble.of(limit);
    }

    /** The limit of a row's ratio; empty without one. */
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

    /** The limit of what a way of protecting a link adds to the way before it. */
    static OptionalDouble of(LinkRow row, LinkWay way) {
        return switch (way) {
            case BARE -> OptionalDouble.empty();
            case CHECKSUMS -> {
                if (row.place() == LinkRow.Place.ONE_HOST) {
                    yield OptionalDouble.of(CHECKSUMS_ON_ONE_HOST);
                }
                yield LinkRuns.isProgram(row.name())
                        ? OptionalDouble.of(CHECKSUMS_OF_PROGRAMS)
                        : OptionalDouble.empty();
            }
            case TLS -> OptionalDouble.of(TLS);
        };
    }
}
