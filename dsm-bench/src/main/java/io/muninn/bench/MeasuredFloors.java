package io.muninn.bench;

import io.muninn.bench.series.Measured;
import io.muninn.coherence.ProtocolKind;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * The measured floors, and for each operation the floors of the steps that it cannot avoid.
 *
 * <p>A floor is the sum of the times of sequential steps. The steps are sequential on one
 * processor; on several, some of them may overlap.
 */
final class MeasuredFloors {
    private static final int SMALL_BYTES = 64;
    private static final int PAGE_BYTES = 4096;
    private static final int MANY_PAGES = 256;

    private final Map<String, Measured> byName = new LinkedHashMap<>();

    /**
     * @param operations measured operations, some of which are floors of others
     * @param floors measurements that are only floors
     */
    MeasuredFloors(List<Measured> operations, List<Measured> floors) {
        operations.forEach(each -> byName.put(each.name(), each));
        floors.forEach(each -> byName.put(each.name(), each));
    }

    /** A floor and its number of sequential repetitions. */
    record Term(int times, String floor) {
        @Override
        public String toString() {
            if (times == 1) {
                return floor;
            }
            return times + " x " + floor;
        }
    }

    /** The name of the floor of a request and its reply over a bare channel. */
    static String exchange(int requestBytes, int replyBytes) {
        return "netty-unix-" + requestBytes + "-" + replyBytes;
    }

    private static Term small() {
        return new Term(1, exchange(SMALL_BYTES, SMALL_BYTES));
    }

    /** The floors of the steps that an operation cannot avoid; empty if they are not known. */
    static List<Term> of(Measured operation) {
        String name = operation.name();
        List<String> parts = List.of(name.split("-"));
        return switch (parts.getFirst()) {
            case "fault" -> ofFault(name, parts);
            case "release" -> {
                int pages = Integer.parseInt(parts.get(1));
                yield parts.size() == 3
                        ? ofRelease(operation, pages)
                        : ofLateRelease(pages, comparesLater(name));
            }
            case "acquire" -> ofAcquire(Integer.parseInt(parts.get(1)));
            case "section" -> ofSection(name.startsWith("section-4-") ? 4 : 1);
            case "lock" -> ofLock(parts.get(1));
            case "prefetch" -> ofPrefetch(parts.get(1));
            case "barrier" -> {
                String nodes = parts.get(1);
                yield List.of(
                        new Term(Integer.parseInt(nodes), "unix-64"),
                        new Term(1, "netty-star-" + nodes));
            }
            case "loop" -> {
                String loop = "loop-" + parts.get(1);
                yield switch (name.substring(loop.length())) {
                    case "" -> List.of(new Term(1, "barrier-" + parts.get(1)));
                    case "-each" -> List.of(new Term(1, loop + "-by-hand"));
                    default -> List.of();
                };
            }
            case "queue" ->
                    switch (parts.get(1)) {
                        case "lock" -> List.of(new Term(1, "queue-ship-" + parts.get(2)));
                        case "ship", "remote" ->
                                List.of(new Term(1, "queue-apart-" + parts.get(2)));
                        default -> List.of();
                    };
            case "sibling" -> ofSibling(name);
            case "remote" -> ofRemote(name);
            case "pool" ->
                    name.equals("pool-read") ? List.of(new Term(1, "pool-write")) : List.of();
            case "access" -> ofAccess(name);
            default -> List.of();
        };
    }

    private static List<Term> ofFault(String name, List<String> parts) {
        Term page = new Term(1, exchange(SMALL_BYTES, PAGE_BYTES));
        if (name.startsWith("fault-stale-")) {
            return List.of(new Term(1, "uffd-missing"), page);
        }
        return switch (name) {
            case "fault-write-local" -> List.of(new Term(1, "handler-twin"));
            case "fault-read-remote", "fault-scan-remote", "fault-migratory" ->
                    List.of(new Term(1, "uffd-missing"), page);
            default ->
                    List.of(
                            new Term(1, "uffd-write"),
                            new Term(Integer.parseInt(parts.get(2)), small().floor()));
        };
    }

    private static List<Term> ofRelease(Measured release, int pages) {
        return List.of(
                compared(pages),
                new Term(1, "unix-64"),
                new Term(1, exchange(sentBytes(release), SMALL_BYTES)));
    }

    private static Term compared(int pages) {
        return pages == MANY_PAGES
                ? new Term(1, "memcmp-256-pages")
                : new Term(pages, "memcmp-page");
    }

    /** Whether a row belongs to a protocol that makes a diff only when another node requests it. */
    private static boolean comparesLater(String name) {
        return ProtocolKind.with(Trait.KEEPS_DIFFS).stream()
                .anyMatch(protocol -> name.endsWith("-" + protocol.word()));
    }

    /** A release that does not wait until its messages arrive. */
    private static List<Term> ofLateRelease(int pages, boolean comparesLater) {
        List<Term> terms = new ArrayList<>();
        if (!comparesLater) {
            terms.add(compared(pages));
        }
        terms.add(new Term(1, "unix-64"));
        if (pages > 1) {
            terms.add(new Term(1, "protect-" + pages + "-pages"));
        }
        return terms;
    }

    /** The call waits for no answer, but it is sent over a socket. */
    private static List<Term> ofPrefetch(String kind) {
        Term trap = new Term(1, "uffd-missing");
        return switch (kind) {
            case "issue" -> List.of(new Term(1, "unix-64"));
            case "hit" -> List.of(trap);
            default -> List.of(trap, new Term(1, exchange(SMALL_BYTES, PAGE_BYTES)));
        };
    }

    /**
     * The lock, the withdrawal of store access at the releaser, and the removal of all access here.
     */
    private static List<Term> ofAcquire(int pages) {
        List<Term> terms = new ArrayList<>(ofLock("passed"));
        if (pages > 0) {
            terms.add(new Term(1, "protect-" + pages + "-pages"));
            terms.add(new Term(1, "drop-" + pages + "-pages"));
        }
        if (pages == MANY_PAGES) {
            terms.add(new Term(1, "unix-64")); // the application itself drops them
        }
        return terms;
    }

    /**
     * The lock, and for each page a trap, an exchange of few bytes with another node, and a twin.
     */
    private static List<Term> ofSection(int pages) {
        List<Term> terms = new ArrayList<>(ofLock("passed"));
        terms.add(new Term(pages, "uffd-missing"));
        terms.add(new Term(pages, small().floor()));
        terms.add(new Term(pages, "handler-twin"));
        return terms;
    }

    /** Bytes that a release sent, at least those of a small message. */
    static int sentBytes(Measured release) {
        return (int) Math.max(SMALL_BYTES, Math.round(release.bytes()));
    }

    private static List<Term> ofLock(String kind) {
        return switch (kind) {
            case "again" -> List.of(new Term(1, "reentrant-lock"));
            case "read" -> List.of(new Term(1, "reentrant-read-lock"));
            default -> List.of(new Term(2, "unix-64"), small());
        };
    }

    /** The operation with which an operation between the processes of a node is compared. */
    private static List<Term> ofSibling(String name) {
        String beside =
                switch (name.substring(SiblingRuns.PREFIX.length())) {
                    case "fault" -> "first-touch";
                    case "fault-16" -> "fault";
                    case "lock" -> "lock-own";
                    case "lock-notice" -> "lock-remote";
                    case "release-2" -> "release-1";
                    case "barrier-1x4", "barrier-2x2" -> "barrier-4x1";
                    default -> "";
                };
        return beside.isEmpty() ? List.of() : List.of(new Term(1, SiblingRuns.PREFIX + beside));
    }

    /** The operation with which an operation on remote words is compared. */
    private static List<Term> ofRemote(String name) {
        String beside =
                switch (name.substring(RemoteRuns.PREFIX.length())) {
                    case "add-2" -> "add-own";
                    case "get" -> "fault";
                    case "aggregated" -> "add";
                    default -> "";
                };
        return beside.isEmpty() ? List.of() : List.of(new Term(1, RemoteRuns.PREFIX + beside));
    }

    private static List<Term> ofAccess(String name) {
        return name.endsWith(AccessRuns.ARRAY)
                ? List.of()
                : List.of(new Term(1, AccessRuns.sibling(name, AccessRuns.ARRAY)));
    }

    /** The sum of medians in nanoseconds; empty if there are no terms or one was not measured. */
    OptionalDouble nanos(List<Term> terms) {
        double sum = 0;
        for (Term term : terms) {
            Measured floor = byName.get(term.floor());
            if (floor == null) {
                return OptionalDouble.empty();
            }
            sum += term.times() * floor.medianNanos();
        }
        return terms.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(sum);
    }

    static String text(List<Term> terms) {
        return terms.stream().map(Term::toString).collect(Collectors.joining(" + "));
    }

    /** The names of all floors of these operations, without duplicates. */
    static List<String> needed(List<Measured> operations) {
        List<String> names = new ArrayList<>();
        for (Measured operation : operations) {
            for (Term term : of(operation)) {
                if (!names.contains(term.floor())) {
                    names.add(term.floor());
                }
            }
        }
        return names;
    }
}
