package io.muninn.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.model.BarrierId;
import io.muninn.model.Names;
import io.muninn.spi.ReservedBarriers;
import org.junit.jupiter.api.Test;

/** Barriers of allocations: different variables have different barriers, also with long names. */
class ReservedBarriersTest {
    private static BarrierId of(String name, String type) {
        return ReservedBarriers.allocation(9999, name, type, Protocol.CONVENTIONAL, Home.BANDED);
    }

    @Test
    void allocation_isDescribedByItsVariable() {
        BarrierId words = of("words", "long[8]");

        assertTrue(ReservedBarriers.isAllocation(words));
        assertEquals(
                "allocation of variable 'words', long[8] CONVENTIONAL",
                ReservedBarriers.describe(words));
        assertEquals("barrier 'muninn.end'", ReservedBarriers.describe(ReservedBarriers.END));
    }

    @Test
    void namesWithoutRoom_areCutAndStillToldApart() {
        String longest = "\u00fc".repeat(Names.BYTES_MAX / 2);
        String type = "struct{" + "long a,".repeat(100) + "}[5]";

        BarrierId allocation = of(longest, type);

        assertTrue(ReservedBarriers.allocated(allocation).startsWith("'\u00fc\u00fc"));
        assertNotEquals(allocation, of(longest.substring(1) + "ab", type));
        assertNotEquals(allocation, of(longest, type + "[6]"));
        assertEquals(allocation, of(longest, type));
    }

    @Test
    void homes_areToldApartAlsoWithoutRoom() {
        String longest = "\u00fc".repeat(Names.BYTES_MAX / 2);
        String type = "struct{" + "long a,".repeat(100) + "}[5]";
        for (Home home : Home.values()) {
            BarrierId barrier =
                    ReservedBarriers.allocation(9999, longest, type, Protocol.WRITE_SHARED, home);
            boolean isDefault = home == Home.BANDED;
            assertEquals(!isDefault, barrier.name().endsWith(", home " + home));
            assertEquals(
                    isDefault,
                    barrier.equals(
                            ReservedBarriers.allocation(
                                    9999, longest, type, Protocol.WRITE_SHARED, Home.BANDED)));
        }
    }
}
