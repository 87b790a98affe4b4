package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.api.spi.GrowingLayout;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.ViewSpec;
import org.junit.jupiter.api.Test;

class MemoryNeededTest {
    private static final int NODES = 4;
    private static final int MEBIBYTE = 1 << 20;

    private static final Layout LAYOUT =
            Layout.EMPTY.append("grid", spec(8 * MEBIBYTE), Protocol.CONVENTIONAL);

    private static ViewSpec spec(long bytes) {
        return new ViewSpec("long[" + bytes / Long.BYTES + "]", bytes, Long.BYTES);
    }

    @Test
    void pagesOfAllNodes_haveToFitOutsideTheHeap() {
        MemoryNeeded enough = new MemoryNeeded(NODES, 32 * MEBIBYTE, 100 * MEBIBYTE);
        MemoryNeeded tooLittle = new MemoryNeeded(NODES, 32 * MEBIBYTE - 1, 100 * MEBIBYTE);

        assertDoesNotThrow(() -> enough.check(LAYOUT));
        assertEquals(
                "a simulation of 4 nodes with 8.0 MiB of shared variables each needs 32.0 MiB"
                        + " outside the heap, and this JVM may have 32.0 MiB"
                        + " (-XX:MaxDirectMemorySize, or -Xmx without it)",
                refusal(tooLittle));
    }

    @Test
    void recordsOfAllPages_haveToFitTheHeap() {
        String text = refusal(new MemoryNeeded(NODES, 32 * MEBIBYTE, 9 * MEBIBYTE));

        assertTrue(
                text.endsWith("needs 10.0 MiB of the heap, which may have 9.0 MiB (-Xmx)"), text);
    }

    @Test
    void allocationThatDoesNotFit_namesTheVariable() {
        MemoryNeeded memory = new MemoryNeeded(NODES, 32 * MEBIBYTE, 100 * MEBIBYTE);
        GrowingLayout layout = new GrowingLayout(LAYOUT);
        RegionSpec more = layout.next("more", spec(4096), Protocol.MIGRATORY, Home.BANDED);

        String text =
                assertThrows(IllegalArgumentException.class, () -> memory.checkGrown(layout, more))
                        .getMessage();

        assertTrue(text.startsWith("variable 'more' of 4096 bytes does not fit: "), text);
    }

    @Test
    void limitsOfThisJvm_areKnown() {
        MemoryNeeded here = MemoryNeeded.here(NODES);

        assertTrue(here.nativeMax() > 0 && here.heapMax() > 0, here::toString);
    }

    private static String refusal(MemoryNeeded memory) {
        return assertThrows(IllegalArgumentException.class, () -> memory.check(LAYOUT))
                .getMessage();
    }
}
