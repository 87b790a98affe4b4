package io.muninn.bench.live;

import io.muninn.api.DsmNode;
import io.muninn.bench.series.Measured;
import io.muninn.bench.series.Series;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * Processor time of all processes of a run during an operation. The root reads the times of all
 * processes from {@code /proc}, so this works for runs on one machine only.
 *
 * <p>The times are read before and after the timed operations, in at most {@value #ROUNDS_MAX}
 * rounds of the second half of a series. Reading takes as long as some operations, so the first
 * half is left undisturbed.
 */
final class CpuTimes {
    private static final int TAG = 77;
    private static final int LOOKS = 20;
    private static final int ROUNDS_MAX = 60;
    private static final long COUNTED = 0;
    private static final Path PROCESSES = Path.of("/proc");

    /** Times of the calling thread, which stands for its process. */
    private static final Path OWN = Path.of("/proc/thread-self/schedstat");

    /**
     * Sleep before reading, because the system updates a thread's time when the thread stops
     * running.
     */
    private static final long STOP_NANOS = 20_000;

    /**
     * Process ids of the application and the agent of each node, in order of nodes; empty except on
     * the root. Element 0 is this process, of which only the calling thread is counted. If an agent
     * serves several nodes, its later occurrences are {@link #COUNTED}.
     */
    private final long[] pids;

    private final long[] spent;
    private final long[] before;
    private final Series series;

    /** Processor time of reading itself, which is subtracted from the calling thread's time. */
    private long ownNanos;

    private boolean begun;
    private int rounds;

    private CpuTimes(long[] pids, Series series) {
        this.pids = pids;
        this.series = series;
        spent = new long[pids.length];
        before = new long[pids.length];
    }

    /** Collective. */
    static CpuTimes of(DsmNode node, Series series) {
        ProcessHandle self = ProcessHandle.current();
        long[] own = {self.pid(), self.parent().map(ProcessHandle::pid).orElse(self.pid())};
        if (!node.isRoot()) {
            node.messages().send(0, TAG, own);
            return new CpuTimes(new long[0], series);
        }
        long[] pids = Arrays.copyOf(own, own.length * node.nodes());
        for (int other = 1; other < node.nodes(); other++) {
            long[] theirs = node.messages().receive(other, TAG).longs();
            pids[own.length * other] = theirs[0];
            pids[own.length * other + 1] = isAmong(pids, theirs[1]) ? COUNTED : theirs[1];
        }
        CpuTimes times = new CpuTimes(pids, series);
        times.ownNanos = looking();
        return times;
    }

    private static boolean isAmong(long[] pids, long pid) {
        return Arrays.stream(pids).anyMatch(each -> each == pid);
    }

    /** Begins an interval that counts, if the series is in its second half. */
    void begin() {
        begun = rounds < ROUNDS_MAX && pids.length > 0 && series.isLate();
        if (begun) {
            readOthers(before);
            before[0] = own();
        }
    }

    /** Ends the interval. */
    void end() {
        if (begun) {
            long[] now = new long[pids.length];
            now[0] = own() - ownNanos;
            readOthers(now);
            for (int i = 0; i < now.length; i++) {
                spent[i] += now[i] - before[i];
            }
            rounds++;
        }
    }

    /**
     * Mean processor time of an operation.
     *
     * @param operations number of operations in a round
     */
    Measured.Cpu perOperation(int operations) {
        double count = (double) rounds * operations;
        double others = 0;
        double otherAgents = 0;
        for (int i = 2; i < spent.length; i += 2) {
            others += spent[i];
            otherAgents += spent[i + 1];
        }
        return rounds == 0 || spent.length == 0
                ? Measured.Cpu.UNKNOWN
                : new Measured.Cpu(
                        spent[0] / count, spent[1] / count, others / count, otherAgents / count);
    }

    private static long looking() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < LOOKS; i++) {
            long first = own();
            least = Math.min(least, own() - first);
        }
        return least;
    }

    private void readOthers(long[] nanos) {
        for (int i = 1; i < pids.length; i++) {
            nanos[i] = pids[i] == COUNTED ? 0 : nanos(pids[i]);
        }
    }

    private static long own() {
        LockSupport.parkNanos(STOP_NANOS);
        try {
            return ofThread(OWN);
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    /**
     * Sum over the current threads of a process, in nanoseconds; 0 if the system does not report
     * it.
     */
    private static long nanos(long pid) {
        long sum = 0;
        Path threads = PROCESSES.resolve(Long.toString(pid)).resolve("task");
        try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
            for (Path thread : all) {
                sum += ofThread(thread.resolve("schedstat"));
            }
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
        return sum;
    }

    private static long ofThread(Path file) throws IOException {
        try {
            String text = Files.readString(file);
            return Long.parseLong(text.substring(0, text.indexOf(' ')));
        } catch (NoSuchFileException endedOrUnknown) {
            return 0;
        }
    }
}
