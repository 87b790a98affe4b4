package io.muninn.nativefault;

/** Receives the pages whose twins traps have made, on the agent thread. */
@FunctionalInterface
public interface DirtiedSink {
    /**
     * @param offset where the page begins, from the start of the regions
     */
    void onDirtied(long offset);
}
