package io.muninn.nativefault;

import io.muninn.model.FaultKind;

/** Receives the faults of an application, on the agent thread. */
@FunctionalInterface
public interface FaultSink {
    /**
     * A thread of the application stopped, and stays stopped until {@link FaultEngine#wake}. May be
     * stale: the access it lacked may have been given since.
     *
     * @param offset of the byte accessed, from the start of the regions
     * @param kind as the processor saw it when the thread stopped
     */
    void onFault(long offset, FaultKind kind);
}
