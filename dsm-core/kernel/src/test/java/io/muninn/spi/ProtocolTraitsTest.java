package io.muninn.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.PageAccess;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.MemoryModel;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProtocolTraitsTest {
    private static final ProtocolTraits BARE =
            ProtocolTraits.of(MemoryModel.RELEASE_CONSISTENCY, Trait.TWINS);

    private static final ProtocolTraits TRAITS =
            BARE.state("Clean", PageAccess.READ)
                    .state("Dirty", PageAccess.READ_WRITE, Mark.TWIN, Mark.ANSWERS);

    @Test
    void traits_areThoseGiven() {
        assertEquals(MemoryModel.RELEASE_CONSISTENCY, TRAITS.memoryModel());
        assertTrue(TRAITS.has(Trait.TWINS));
        assertFalse(TRAITS.has(Trait.HELD));
    }

    @Test
    void states_areFoundByNameAndKeepTheirOrder() {
        ProtocolTraits.State dirty = TRAITS.state("Dirty");

        assertEquals(PageAccess.READ_WRITE, dirty.access());
        assertTrue(dirty.is(Mark.TWIN));
        assertTrue(dirty.is(Mark.ANSWERS));
        assertFalse(dirty.is(Mark.AWAITS_ACKS));
        assertEquals(
                List.of("Clean", "Dirty"),
                TRAITS.states().stream().map(ProtocolTraits.State::name).toList());
        assertTrue(BARE.states().isEmpty());
    }

    @Test
    void unknownAndRepeatedStates_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> TRAITS.state("Idle"));
        assertThrows(IllegalArgumentException.class, () -> TRAITS.state("Dirty", PageAccess.READ));
    }
}
