package io.muninn.report;

import io.muninn.report.TimeLine.Kept;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The chain of computation and waits that determined how long a run took, from its end backwards. A
 * wait at a barrier continues with the thread that arrived last; a wait for a lock with the thread
 * that acquired it meanwhile, if that had to wait, too. A thread that acquires a lock without a
 * call is not recorded: the wait itself is then a step. Stops at pages, calls and messages are
 * parts of the steps of computation.
 *
 * @param steps in order of time
 * @param nanos the length of the path, which is the sum of its steps
 * @param isComplete false if there was no room for every synchronization: the path is then that of
 *     the first part of the run
 */
record CriticalPath(List<Step> steps, long nanos, boolean isComplete) {
    /**
     * A step.
     *
     * @param about the barrier or the lock; empty for computation
     * @param pageNanos part in which the thread was stopped at pages
     * @param otherNanos part in which the thread waited for calls, messages and so on
     */
    record Step(
            int node,
            int thread,
            Kind kind,
            String about,
            long beginNanos,
            long endNanos,
            long pageNanos,
            long otherNanos) {
        long nanos() {
            return endNanos - beginNanos;
        }

        long computeNanos() {
            return kind == Kind.COMPUTE ? nanos() - pageNanos - otherNanos : 0;
        }
    }

    /** The kind of a step. */
    enum Kind {
        /** From one synchronization of a thread to its next. */
        COMPUTE("compute"),
        /** From the last arrival at a barrier until the thread went on. */
        BARRIER("barrier"),
        /** While a lock was passed, or held by a thread that is not recorded. */
        LOCK("lock"),
        /** The start or the end of the program, or an allocation by all threads. */
        PHASE("phase");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    private record Key(int node, int thread) {}

    /** One synchronization of a thread. */
    private record Point(Key of, int position, Kept kept, Instance instance) {
        String name() {
            return instance.name();
        }

        long begin() {
            return kept.beginNanos();
        }

        long end() {
            return kept.endNanos();
        }
    }

    /** One use of a barrier: the threads use it equally often. */
    private record Instance(WaitKind kind, String name, int ordinal) {}

    private record Counted(Key of, WaitKind kind, String name) {}

    /**
     * Follows the path of a run.
     *
     * @param nodes the time lines by node
     */
    static CriticalPath of(Map<Integer, TimeLine> nodes) {
        return new Walk(nodes).path();
    }

    /** Follows one path. */
    private static final class Walk {
        private static final Comparator<Point> BY_END = Comparator.comparingLong(Point::end);

        private final Map<Key, List<Point>> threads = new HashMap<>();
        private final Map<Instance, Point> last = new HashMap<>(); // arrival of each barrier
        private final Map<Counted, Integer> counts = new HashMap<>();
        private final Map<String, List<Point>> locks = new HashMap<>();
        private final List<Step> steps = new ArrayList<>(); // the last first
        private final boolean isComplete;
        private int points;

        Walk(Map<Integer, TimeLine> nodes) {
            long until = nodes.values().stream().mapToLong(TimeLine::completeNanos).min().orElse(0);
            isComplete =
                    nodes.values().stream()
                            .allMatch(line -> line.completeNanos() >= line.endNanos());
            nodes.forEach((node, line) -> {
                for (Kept wait : line.synchronizations()) {
                    if (isComplete || wait.endNanos() <= until) {
                        add(new Key(node, wait.thread()), wait, line.names().get(wait.about()));
                    }
                }
            });
            locks.values().forEach(all -> all.sort(BY_END));
        }

        private void add(Key thread, Kept wait, String name) {
            List<Point> before = threads.computeIfAbsent(thread, _ -> new ArrayList<>());
            int ordinal = counts.merge(new Counted(thread, wait.kind(), name), 1, Integer::sum);
            Instance instance = new Instance(wait.kind(), name, ordinal);
            Point point = new Point(thread, before.size(), wait, instance);
            points++;
            before.add(point);
            if (wait.kind() == WaitKind.LOCK) {
                locks.computeIfAbsent(name, _ -> new ArrayList<>()).add(point);
            } else {
                last.merge(
                        instance, point, (one, other) -> other.begin() > one.begin() ? other : one);
            }
        }

        CriticalPath path() {
            Optional<Point> at =
                    threads.values().stream()
                            .map(List::getLast)
                            .reduce((one, other) -> other.end() > one.end() ? other : one);
            for (int left = points; at.isPresent() && left > 0; left--) {
                at = before(at.get());
            }
            Collections.reverse(steps);
            long nanos = steps.stream().mapToLong(Step::nanos).sum();
            return new CriticalPath(List.copyOf(steps), nanos, isComplete);
        }

        /** Adds the steps of a synchronization, and returns the one that precedes them. */
        private Optional<Point> before(Point point) {
            if (point.kept().kind() == WaitKind.LOCK) {
                Optional<Point> holder = holder(point);
                if (holder.isPresent()) {
                    Point from = holder.get();
                    add(from.of(), Kind.LOCK, point.name(), from.end(), point.end());
                    return holder;
                }
                add(point.of(), Kind.LOCK, point.name(), point.begin(), point.end());
                return computed(point);
            }
            Point arrival = last.getOrDefault(point.instance(), point);
            Point from = arrival.begin() <= point.end() ? arrival : point; // clocks may differ
            Kind kind = point.kept().kind() == WaitKind.BARRIER ? Kind.BARRIER : Kind.PHASE;
            add(point.of(), kind, point.name(), from.begin(), point.end());
            return computed(from);
        }

        /** The last other thread that waited for a lock and acquired it during this wait. */
        private Optional<Point> holder(Point point) {
            List<Point> all = locks.getOrDefault(point.name(), List.of());
            int at = Collections.binarySearch(all, point, BY_END);
            for (int i = at - 1; i >= 0 && all.get(i).end() > point.begin(); i--) {
                Point other = all.get(i);
                if (!other.of().equals(point.of()) && other.end() < point.end()) {
                    return Optional.of(other);
                }
            }
            return Optional.empty();
        }

        /** Adds what a thread did before a synchronization, and returns its previous one. */
        private Optional<Point> computed(Point next) {
            List<Point> own = threads.getOrDefault(next.of(), List.of());
            Optional<Point> before =
                    next.position() > 0
                            ? Optional.of(own.get(next.position() - 1))
                            : Optional.empty();
            long begin = before.map(Point::end).orElse(0L);
            long pages = before.map(point -> point.kept().pageNanos()).orElse(0L);
            long others = before.map(point -> point.kept().otherNanos()).orElse(0L);
            if (next.begin() > begin) {
                steps.add(
                        new Step(
                                next.of().node(),
                                next.of().thread(),
                                Kind.COMPUTE,
                                "",
                                begin,
                                next.begin(),
                                next.kept().pageNanos() - pages,
                                next.kept().otherNanos() - others));
            }
            return before;
        }

        private void add(Key of, Kind kind, String about, long begin, long end) {
            if (end > begin) {
                steps.add(new Step(of.node(), of.thread(), kind, about, begin, end, 0, 0));
            }
        }
    }
}
