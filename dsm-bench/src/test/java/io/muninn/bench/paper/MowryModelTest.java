package io.muninn.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The machines of the paper on prefetching and multithreading, beside its figures. */
class MowryModelTest {
    private static final Sheet SHEET = Sheet.resource("mowry-model.txt");
    private static final PaperValues VALUES = new PaperValues(Sheet.resource("mowry-values.txt"));

    @Test
    void machines_areThoseOfSectionTwo() {
        CostModel model = CostModel.read(SHEET, "atm");

        assertTrue(model.isByProgram());
        assertEquals(CostModel.Wiring.EACH_NODE, model.wiring());
        assertEquals(1, model.processors().processors());
        assertEquals(110_000, model.processors().switchNanos());
        assertTrue(model.rows().stream().noneMatch(row -> row.text(2).isEmpty()));
    }

    /** Section 3.3; the agent's part of it is charged apart. */
    @Test
    void prefetch_takes140MicrosWithItsMessage() {
        CostModel model = CostModel.read(SHEET, "atm");
        long message = model.machine().messageNanos() + model.wire().orElseThrow().packetNanos();

        assertEquals(
                140_000,
                model.processors().prefetchNanos() + model.machine().stepNanos() + message);
    }

    @Test
    void sequentialSeconds_areRunsOfTable2() {
        for (PaperProgram program : PaperProgram.read(SHEET)) {
            double stops = value("misses", program) + value("locks", program);
            double seconds = value("run", program) * stops / 1e6;
            assertEquals(seconds, program.sequentialSeconds(), 0.005 * seconds, program.name());
        }
    }

    private static double value(String quantity, PaperProgram program) {
        return VALUES.of("table-2 " + quantity, program.row(), PaperVersion.ORIGINAL).orElseThrow();
    }
}
