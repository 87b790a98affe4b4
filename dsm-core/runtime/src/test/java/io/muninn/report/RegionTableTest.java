package io.muninn.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class RegionTableTest {
    @Test
    void table_hasARowPerRegionAndNamesFalselySharedElements() {
        assertEquals(
                """

                                        read   write   blocked    blocked    pages  twins  diffs    diffs  messages  bytes
                region      protocol  faults  faults  in loads  in stores  fetched   made   made  applied      sent   sent
                grid    write-shared      30      33     36 ns      39 ns       42     45     48       51        54   57 B

                false sharing suspected: grid, 1 page, 60 diffs met stores to other elements
                  page 1: grid[512..1023], seen by nodes 0, 1

                blocked: loads 36 ns, stores 39 ns, locks 348 ns, barriers 351 ns, receives 360 ns, calls 366 ns, conditions 369 ns
                """,
                RegionTable.format(Reports.run(Optional.of(true))));
    }
}
