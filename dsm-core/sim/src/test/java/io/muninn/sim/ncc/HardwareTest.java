package io.muninn.sim.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** What the mesh and the memories take, beside the figures of the paper. */
class HardwareTest {
    /** The node that is ten hops from node 0 in a mesh of eight by eight. */
    private static final int TEN_HOPS = 45;

    private final Hardware hardware = new Hardware(NccModel.PAPER, 64);

    @Test
    void lockTenHopsAway_takes73Cycles() {
        assertEquals(10, hardware.hops(0, TEN_HOPS));
        assertEquals(73, hardware.word(0, TEN_HOPS, 0), "Kontothanassis and Scott, section 3");
        assertEquals(73, hardware.wordAlone(0, TEN_HOPS));
    }

    @Test
    void line_takes20CyclesOfItsMemory_and16OfTheLink() {
        assertEquals(20, hardware.fetch(0, 0, 8, 0));
        assertEquals(30 + 20 + 16 + 30, hardware.fetch(0, TEN_HOPS, 8, 1000) - 1000);
    }

    @Test
    void memory_servesOneRequestAfterAnother() {
        assertEquals(13, hardware.word(5, 5, 0));
        assertEquals(26, hardware.word(5, 5, 0));
        assertEquals(113, hardware.word(5, 5, 100));
    }

    @Test
    void links_areBusyAtTheEnds() {
        assertEquals(16 + 3, hardware.send(0, 1, 8, 0));
        assertEquals(32 + 6, hardware.send(0, 2, 8, 0), "waits for the sender's link");
        assertEquals(32 + 3, hardware.send(2, 1, 8, 0), "waits for the receiver's link");
        assertEquals(16 + 3, hardware.send(3, 4, 8, 0), "waits for none");
    }

    @Test
    void wrongSizes_areNamed() {
        IllegalArgumentException negative =
                assertThrows(IllegalArgumentException.class, () -> NccModel.PAPER.withCache(-1, 1));
        assertEquals("cache bytes: -1 is no power of two", negative.getMessage());
        assertThrows(IllegalArgumentException.class, () -> NccModel.PAPER.withCache(32, 2));
        assertThrows(IllegalArgumentException.class, () -> NccModel.PAPER.withThresholds(-1, 1));
        IllegalArgumentException unknown =
                assertThrows(IllegalArgumentException.class, () -> NccProtocol.of("rel"));
        assertEquals(
                "no protocol rel; choose one of rel.distr.del, rel.distr.nodel, rel.centr.del,"
                        + " rel.centr.nodel, seq, hw.seq, hw.rel",
                unknown.getMessage());
    }

    @Test
    void tlb_replacesItsOldestEntry() {
        Tlb tlb = new Tlb(2, 10);
        assertEquals(false, tlb.use(1));
        assertEquals(false, tlb.use(2));
        assertEquals(true, tlb.use(1));
        assertEquals(false, tlb.use(3));
        assertEquals(true, tlb.use(2));
        assertEquals(false, tlb.use(1));
        tlb.remove(1);
        assertEquals(false, tlb.use(1));
    }
}
