package io.muninn.kernel;

import io.muninn.model.MappingId;
import io.muninn.model.NodeThreads;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.LogicalClock;
import io.muninn.spi.VectorTimestamp;
import io.muninn.spi.ViewMark;
import io.muninn.sync.ProcessViews;
import java.util.Arrays;

/**
 * The numbers of the views of a node's processes, and which view covers which. Threads that take a
 * lock in shared memory read them there, and call only if their process has seen less than the last
 * holder.
 *
 * <p>Nothing is numbered on a node with one process, or while no protocol has views: then every
 * acquire is that of all processes.
 */
final class LocalViews implements ProcessViews {
    /** Begins an acquire within the node. */
    interface Beginning {
        void begin(GatedAcquire acquire, VectorTimestamp until, Effects out);
    }

    private final LogicalClock clock;
    private final NodeThreads threads;
    private final Beginning beginning;
    private final VectorTimestamp[] numbered; // by process, that of all last
    private final long[] numbers; // of these
    private final long[][] covered; // by reader, then as these; what is published

    LocalViews(LogicalClock clock, NodeThreads threads, Beginning beginning) {
        this.clock = clock;
        this.threads = threads;
        this.beginning = beginning;
        int processes = threads.processes();
        this.numbered = new VectorTimestamp[processes + 1];
        Arrays.setAll(numbered, this::view);
        this.numbers = new long[processes + 1];
        this.covered = new long[processes][processes + 1];
    }

    private VectorTimestamp view(int place) {
        return clock.ofOthers(clock.view(process(place)));
    }

    private MappingId process(int place) {
        return place == threads.processes() ? MappingId.ALL : MappingId.of(place);
    }

    @Override
    public boolean areSeveral() {
        return threads.processes() > 1;
    }

    @Override
    public VectorTimestamp of(MappingId process) {
        return clock.ofOthers(clock.view(process));
    }

    @Override
    public boolean covers(MappingId process, VectorTimestamp until) {
        if (!areSeveral()) {
            return true;
        }
        return process.equals(MappingId.ALL)
                ? threads.allProcesses().stream().allMatch(each -> covers(each, until))
                : of(process).covers(until);
    }

    @Override
    public ViewMark mark(MappingId process) {
        int place = process.equals(MappingId.ALL) ? threads.processes() : process.index();
        return new ViewMark(process, numbers[place]);
    }

    @Override
    public void begin(GatedAcquire acquire, VectorTimestamp until, Effects out) {
        beginning.begin(acquire, until, out);
    }

    /** Numbers the views that have grown, and publishes what each process covers now. */
    void onAcquirePerformed(Effects out) {
        if (!areSeveral()) {
            return;
        }
        for (int i = 0; i < numbered.length; i++) {
            VectorTimestamp now = view(i);
            if (!numbered[i].covers(now)) {
                numbered[i] = now;
                numbers[i]++;
            }
        }
        for (int reader = 0; reader < covered.length; reader++) {
            for (int i = 0; i < numbered.length; i++) {
                if (covered[reader][i] < numbers[i] && numbered[reader].covers(numbered[i])) {
                    covered[reader][i] = numbers[i];
                    out.covers(process(reader), new ViewMark(process(i), numbers[i]));
                }
            }
        }
    }
}
