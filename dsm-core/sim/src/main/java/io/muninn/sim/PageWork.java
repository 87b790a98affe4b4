package io.muninn.sim;

import io.muninn.diff.Diff;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.machine.NodeMachine;
import io.muninn.sim.machine.SmpMachine;
import io.muninn.sim.machine.SmpModel;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * An agent's work on pages, for which its next event has to wait. Without a model of the hardware,
 * every byte of a page that is copied, compared, installed or withdrawn costs the same.
 */
final class PageWork {
    private final AgentWork work;
    private final Delays delays;
    private final Optional<SmpMachine> machine;
    private final int node;

    PageWork(SimNode node, AgentWork work) {
        this.work = work;
        this.delays = node.simulation().delays();
        this.machine = node.simulation().machine();
        this.node = node.id().index();
    }

    private void uniform(long bytes) {
        work.add(delays.pageBytes((int) bytes));
    }

    /** A page has been received. A network interface has written it to memory. */
    void installed(long address, int bytes) {
        if (machine.isPresent()) {
            machine.get().node(node).invalidate(address, bytes);
        } else {
            uniform(bytes);
        }
    }

    /** A device has written to memory. */
    void written(long address, int bytes) {
        machine.ifPresent(hardware -> hardware.node(node).invalidate(address, bytes));
    }

    /** A page has been copied to its twin. */
    void copied(int bytes) {
        if (machine.isPresent()) {
            work.add(machine.get().copyPicos(node, bytes) / SmpModel.NANO);
        } else {
            uniform(bytes);
        }
    }

    /**
     * A page has been compared with its twin.
     *
     * @param changedBytes that its diff contains
     */
    void compared(int bytes, int changedBytes) {
        if (machine.isPresent()) {
            SmpModel model = machine.get().model();
            work.addComparison(model.nanos(model.handlers().diffCycles(bytes, changedBytes)));
        } else {
            uniform(bytes);
        }
    }

    /** A diff is stored to a page at this address. */
    void applied(long address, long pageBytes, MemorySegment diff, int granuleBytes) {
        if (machine.isEmpty()) {
            return;
        }
        NodeMachine hardware = machine.get().node(node);
        int[] granules = {0};
        Diff.forEach(
                diff,
                (int) pageBytes,
                granuleBytes,
                (index, _) -> {
                    granules[0]++;
                    hardware.invalidate(address + (long) index * granuleBytes, granuleBytes);
                });
        SmpModel model = machine.get().model();
        work.add(model.nanos(model.handlers().diffCycles(0, granules[0] * granuleBytes)));
    }

    /** An image has been compared with a page at this address, and its news are stored to it. */
    void merged(long address, long pageBytes, MemorySegment news, int granuleBytes) {
        if (machine.isEmpty()) {
            uniform(pageBytes);
            return;
        }
        SmpModel model = machine.get().model();
        work.add(model.nanos(model.handlers().diffCycles((int) pageBytes, 0)));
        applied(address, pageBytes, news, granuleBytes);
    }

    /** Access to pages has been withdrawn, which takes their content from all threads. */
    void withdrawn(int pages, int pageBytes) {
        if (machine.isEmpty()) {
            uniform((long) pages * pageBytes);
        }
    }

    /** The access of threads to a page has been changed. */
    void accessChanged() {
        if (machine.isPresent()) {
            SmpModel model = machine.get().model();
            work.add(model.nanos(model.handlers().tlbCycles()));
        }
    }
}
