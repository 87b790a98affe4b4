package io.muninn.nativefault;

import io.muninn.model.FaultKind;

/** Receives the faults of an application, on the agent thread. */
@FunctionalInterface
public interface FaultSink {
    /**
     * A thread of the application is blocked in a fault until {@link FaultEngine#wake}. The fault
     * may be stale: the missing access may have been given since.
     *
     * @param offset of the byte accessed, from the start of the regions
     * @param kind as the processor reported it when the thread faulted
     * @param thread its {@linkplain CallChannel#threadId id}
     */
    void onFault(long offset, FaultKind kind, int thread);
}
