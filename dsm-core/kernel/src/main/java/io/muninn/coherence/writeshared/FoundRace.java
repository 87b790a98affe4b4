package io.muninn.coherence.writeshared;

import io.muninn.spi.Race;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;

/**
 * A granule of {@link WriteSharedMessages.Races}.
 *
 * @param granule its index in the page
 * @param isLoad whether the sender has loaded it; else it has stored
 * @param isCertain false if it was only lent to the program of the sender
 * @param here value that the sender has stored; 0 if it has loaded
 * @param arriving value in the received diff; 0 if the sender has loaded
 * @param point of synchronization, of the sender's access
 */
record FoundRace(
        int granule, boolean isLoad, boolean isCertain, long here, long arriving, String point) {
    static FoundRace ofLoad(int granule, String point, boolean isCertain) {
        return new FoundRace(granule, true, isCertain, 0, 0, point);
    }

    static FoundRace ofStore(Race race, String point) {
        return new FoundRace(race.granule(), false, true, race.here(), race.arriving(), point);
    }

    void write(WireWriter out) {
        out.u32(granule);
        out.flag(isLoad);
        out.flag(isCertain);
        out.i64(here);
        out.i64(arriving);
        out.text(point);
    }

    static FoundRace read(WireReader in) {
        return new FoundRace(in.u32(), in.flag(), in.flag(), in.i64(), in.i64(), in.text());
    }
}
