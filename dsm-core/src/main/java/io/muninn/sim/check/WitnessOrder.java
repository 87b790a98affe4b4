package io.muninn.sim.check;

import io.muninn.api.Protocol;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.sim.Violation;
import java.util.Map;
import java.util.TreeMap;

/**
 * Conventional, migratory and read-only pages are sequentially consistent: a load returns what the
 * last store to these bytes stored, on whatever node, in the order in which the simulation lets
 * loads and stores happen. Also of programs with data races.
 */
final class WitnessOrder implements Observer {
    static final String NAME = "witness order";

    private final Map<PageId, byte[]> memory = new TreeMap<>();

    @Override
    public void onStore(SimThread thread, PageId page, int offset, int bytes, long value) {
        if (isChecked(thread, page)) {
            byte[] known = known(thread, page);
            for (int i = 0; i < bytes; i++) {
                known[offset + i] = (byte) (value >> Byte.SIZE * i);
            }
        }
    }

    @Override
    public void onLoad(SimThread thread, PageId page, int offset, int bytes, long value) {
        if (!isChecked(thread, page)) {
            return;
        }
        byte[] known = known(thread, page);
        long expected = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            expected =
                    i == bytes - 1 ? known[offset + i] : expected << 8 | known[offset + i] & 0xFF;
        }
        if (expected != value) {
            throw new Violation(
                    NAME,
                    thread
                            + " loads "
                            + value
                            + " from byte "
                            + offset
                            + " of page "
                            + page
                            + ", not "
                            + expected
                            + ": "
                            + thread.node().describe(page));
        }
    }

    private static boolean isChecked(SimThread thread, PageId page) {
        return thread.node().pages().spec(page.region()).protocol() != Protocol.WRITE_SHARED;
    }

    private byte[] known(SimThread thread, PageId page) {
        int pageBytes = thread.node().pages().spec(page.region()).pageBytes();
        return memory.computeIfAbsent(page, _ -> new byte[pageBytes]);
    }
}
