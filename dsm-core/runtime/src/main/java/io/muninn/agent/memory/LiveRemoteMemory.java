package io.muninn.agent.memory;

import io.muninn.api.remote.RemoteOperations;
import io.muninn.api.remote.WordCondition;
import io.muninn.kernel.port.RemoteMemory;
import io.muninn.spi.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * The words of remote variables in memory that the agent and its applications map.
 *
 * @param memory never faults
 */
public record LiveRemoteMemory(MemorySegment memory) implements RemoteMemory {
    @Override
    public Bytes perform(Bytes operations) {
        return new Bytes(RemoteOperations.perform(operations.array(), memory));
    }

    @Override
    public boolean holds(WordCondition condition) {
        return condition.holds(memory);
    }
}
