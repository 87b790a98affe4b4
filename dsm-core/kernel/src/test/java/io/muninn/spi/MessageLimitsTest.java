package io.muninn.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageLimitsTest {
    private static final int PAGE = RegionSpec.MACHINE_PAGE_BYTES;

    private static RegionSpec region(int unitPages) {
        return new RegionSpec(
                0, "r", Protocol.LAZY, 0, 16L * PAGE, Long.BYTES, unitPages, List.of());
    }

    private static MessageLimits ofImages(int bytes) {
        return new MessageLimits(1, 1, bytes, 1);
    }

    @Test
    void images_areThoseThatFitAndOneAtLeast() {
        assertEquals(1, ofImages(1).images(region(1)));
        assertEquals(1, ofImages(2 * PAGE - 1).images(region(1)));
        assertEquals(2, ofImages(2 * PAGE).images(region(1)));
        assertEquals(1, ofImages(3 * PAGE).images(region(2)));
        assertEquals(2, ofImages(4 * PAGE).images(region(2)));
        assertEquals(16, MessageLimits.USUAL.images(region(1)));
    }

    @Test
    void acknowledgements_areAskedForBeforeTheWindowIsFull() {
        for (int window : new int[] {1, 3, 4, 100, MessageLimits.USUAL.windowBytes()}) {
            MessageLimits limits = new MessageLimits(1, 1, 1, window);

            assertTrue(limits.acknowledgedBytes() <= window, limits::text);
        }
        assertEquals(512 << 10, MessageLimits.USUAL.acknowledgedBytes());
    }

    @Test
    void messagesOfNothing_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> new MessageLimits(0, 1, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new MessageLimits(1, 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new MessageLimits(1, 1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new MessageLimits(1, 1, 1, 0));
    }

    @Test
    void rules_nameLimitsThatAreNotTheUsual() {
        String text =
                "messages of 3 pages, 5 bytes of diffs, 7 bytes of images, windows of 9 bytes";

        assertTrue(
                UpdateRules.DEFAULT
                        .withLimits(new MessageLimits(3, 5, 7, 9))
                        .text()
                        .endsWith(", " + text));
        assertTrue(UpdateRules.DEFAULT.text().endsWith("read-ahead off"));
    }
}
