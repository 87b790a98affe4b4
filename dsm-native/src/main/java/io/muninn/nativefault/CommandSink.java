package io.muninn.nativefault;

/** Receives what the application's command thread answers, on the agent thread. */
public interface CommandSink {
    /**
     * @param sequence what {@link FaultEngine#ping()} returned
     */
    void onPong(long sequence);

    /**
     * Access to the pages is now {@link io.muninn.model.PageAccess#NONE}, their content kept.
     *
     * @param sequence what {@link FaultEngine#drop} returned
     * @param offset in bytes, from the start of the regions
     * @param bytes as asked for
     */
    void onDropped(long sequence, long offset, long bytes);

    /** The application has ended. Delivered once, and last. */
    void onApplicationGone();
}
