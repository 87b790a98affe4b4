package io.muninn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class MachineMemoryTest {
    @Test
    void total_isReadInKilobytes() {
        assertEquals(
                24_681_472L * 1024,
                MachineMemory.total(List.of("MemTotal:       24681472 kB", "MemFree: 1 kB")));
    }

    @Test
    void containerWithoutALimit_saysMax() {
        assertEquals(Long.MAX_VALUE, MachineMemory.containerLimit(List.of("max")));
        assertEquals(Long.MAX_VALUE, MachineMemory.containerLimit(List.of()));
    }

    @Test
    void containerLimit_isInBytes() {
        assertEquals(536_870_912, MachineMemory.containerLimit(List.of("536870912")));
    }

    @Test
    void thisMachine_hasAtLeastWhatThisJvmUses() {
        assertTrue(MachineMemory.bytes() >= Runtime.getRuntime().totalMemory());
    }
}
