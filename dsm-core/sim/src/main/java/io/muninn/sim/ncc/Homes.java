package io.muninn.sim.ncc;

import io.muninn.api.spi.Layout;
import io.muninn.api.spi.RegionSpec;

/** The home of each page of the machine, which has the page in its memory. */
final class Homes {
    private final int[] homes;

    /**
     * @throws IllegalArgumentException if a variable has pages of another size than the machine's
     */
    Homes(Layout layout, int nodes) {
        homes = new int[(int) (layout.bytes() / NccModel.PAGE_BYTES)];
        for (RegionSpec region : layout.regions()) {
            if (region.pageBytes() != NccModel.PAGE_BYTES) {
                throw new IllegalArgumentException(
                        "variable "
                                + region.name()
                                + " has pages of "
                                + region.pageBytes()
                                + " bytes; those of the machine have "
                                + NccModel.PAGE_BYTES);
            }
            int first = (int) (region.offset() / NccModel.PAGE_BYTES);
            for (int page = 0; page < region.pages(); page++) {
                homes[first + page] = region.homeOf(page, nodes).index();
            }
        }
    }

    int pages() {
        return homes.length;
    }

    int of(int page) {
        return homes[page];
    }
}
