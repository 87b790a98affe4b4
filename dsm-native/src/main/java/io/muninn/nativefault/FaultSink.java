package io.muninn.nativefault;

import io.muninn.model.FaultKind;
import io.muninn.model.MappingId;

/** Receives the faults of a node's processes, on the agent thread. */
@FunctionalInterface
public interface FaultSink {
    /**
     * A thread is blocked in a fault until {@link FaultEngine#wake}. The fault may be stale: the
     * missing access may have been given since.
     *
     * @param of the thread's process
     * @param offset of the byte accessed, from the start of the regions
     * @param kind as the processor reported it when the thread faulted
     * @param thread its {@linkplain CallChannel#threadId id}
     */
    void onFault(MappingId of, long offset, FaultKind kind, int thread);
}
