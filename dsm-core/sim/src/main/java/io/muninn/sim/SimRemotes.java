package io.muninn.sim;

import io.muninn.api.remote.RemoteOperations;
import io.muninn.api.remote.WordCondition;
import io.muninn.kernel.port.RemoteMemory;
import io.muninn.spi.Bytes;
import java.lang.foreign.MemorySegment;

/** The remote memory of one simulated node, which is its own agent's: the words of its home. */
public final class SimRemotes implements RemoteMemory {
    private final SimNode node;
    private MemorySegment memory = MemorySegment.NULL;

    SimRemotes(SimNode node) {
        this.node = node;
    }

    /** Allocates the memory, before any operation: zeros. */
    public void allocate(long bytes) {
        memory = MemorySegment.ofArray(new long[Math.toIntExact(bytes / Long.BYTES)]);
    }

    /** The memory; threads of the node access it directly. */
    public MemorySegment memory() {
        return memory;
    }

    /** Lets other threads of the node access words between the step and the operations. */
    @Override
    public Bytes perform(Bytes operations) {
        node.goOn();
        Bytes answer = new Bytes(RemoteOperations.perform(operations.array(), memory));
        node.simulation()
                .observers()
                .forEach(each -> each.onRemotePerformed(node, operations, answer));
        return answer;
    }

    @Override
    public boolean holds(WordCondition condition) {
        node.goOn();
        return condition.holds(memory);
    }
}
