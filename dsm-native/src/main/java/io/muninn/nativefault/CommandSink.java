package io.muninn.nativefault;

/** Receives the answers of a process's command thread, on the agent thread. */
public interface CommandSink {
    /**
     * @param sequence the result of {@link TrappedProcess#ping()}
     */
    void onPong(long sequence);

    /**
     * The access of the pages is now {@link io.muninn.model.PageAccess#NONE}; their content is
     * kept.
     *
     * @param sequence the result of {@link TrappedProcess#drop}
     * @param offset in bytes, from the start of the regions
     * @param bytes as passed to {@link TrappedProcess#drop}
     */
    void onDropped(long sequence, long offset, long bytes);

    /** The process has ended. Delivered once, as the last call. */
    void onApplicationGone();
}
