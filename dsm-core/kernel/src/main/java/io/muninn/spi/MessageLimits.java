package io.muninn.spi;

import io.muninn.api.spi.RegionSpec;

/**
 * The limits of messages about pages. The rest is sent in the next message, so that a receiver
 * starts before all of it has arrived. The same on every node. Runs use {@link #USUAL}; programs of
 * the simulator, which have few pages, reach smaller limits.
 *
 * @param pages largest number of diffs of pages in one message, and of pages compared in one step;
 *     at least 1
 * @param diffBytes bytes of diffs with which a message is full; at least 1
 * @param imageBytes bytes of images in one message, which has at least one image; at least 1
 * @param windowBytes bytes of unacknowledged diffs to a home from which on a node waits for an
 *     acknowledgement; at least 1
 */
public record MessageLimits(int pages, int diffBytes, int imageBytes, int windowBytes) {
    public static final MessageLimits USUAL = new MessageLimits(256, 256 << 10, 64 << 10, 2 << 20);

    /** Acknowledgements of a full window. */
    private static final int ACKNOWLEDGEMENTS = 4;

    public MessageLimits {
        if (pages < 1 || diffBytes < 1 || imageBytes < 1 || windowBytes < 1) {
            throw new IllegalArgumentException(
                    text(pages, diffBytes, imageBytes, windowBytes) + " cannot be sent");
        }
    }

    /** Number of pages whose images are sent in one message. */
    public int images(RegionSpec region) {
        return Math.max(1, imageBytes / region.pageBytes());
    }

    /** Bytes that are sent to a home before an acknowledgement is requested. */
    public int acknowledgedBytes() {
        return windowBytes / ACKNOWLEDGEMENTS;
    }

    /** The limits as text for messages. */
    public String text() {
        return text(pages, diffBytes, imageBytes, windowBytes);
    }

    private static String text(int pages, int diffBytes, int imageBytes, int windowBytes) {
        return "messages of "
                + pages
                + " pages, "
                + diffBytes
                + " bytes of diffs, "
                + imageBytes
                + " bytes of images, windows of "
                + windowBytes
                + " bytes";
    }
}
