package io.muninn.nativefault;

/** Receives the pages for which traps have made twins, on the agent thread. */
@FunctionalInterface
public interface DirtiedSink {
    /**
     * @param offset offset of the page, in bytes from the start of the regions
     */
    void onDirtied(long offset);
}
