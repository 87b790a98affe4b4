package io.muninn.spi;

import io.muninn.api.spi.RegionSpec;

/**
 * When a message about pages is full: what is left goes in the next one, so that a receiver begins
 * before the rest is there. The same on every node. Runs use {@link #USUAL}; programs of the
 * simulator, which have few pages, reach smaller limits.
 *
 * @param pages most diffs of pages in one message, and most pages compared in one step; at least 1
 * @param diffBytes bytes of diffs with which a message is full; at least 1
 * @param imageBytes bytes of images in one message, which has one image at least; at least 1
 * @param windowBytes bytes of diffs on their way to a home with which a node waits for an
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

    /** Pages whose images go in one message. */
    public int images(RegionSpec region) {
        return Math.max(1, imageBytes / region.pageBytes());
    }

    /** Bytes to a home that are sent before an acknowledgement is asked for. */
    public int acknowledgedBytes() {
        return windowBytes / ACKNOWLEDGEMENTS;
    }

    /** For a person. */
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
