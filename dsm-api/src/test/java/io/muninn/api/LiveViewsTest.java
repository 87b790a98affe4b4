package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.ViewBinder;
import io.muninn.api.spi.ViewLink;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** The use of a guard in a JVM that does not simulate; see {@link GuardedViewsTest}. */
@DisabledIfSystemProperty(named = "muninn.simulated", matches = "true")
class LiveViewsTest {
    /** Throws at every call. */
    private static final class Refusing implements AccessGuard {
        @Override
        public void load(long offset, long bytes) {
            throw new UnsupportedOperationException("load");
        }

        @Override
        public void store(long offset, long bytes) {
            throw new UnsupportedOperationException("store");
        }

        @Override
        public MemorySegment lend(MemorySegment part, long offset, Mode mode) {
            throw new UnsupportedOperationException("lend");
        }
    }

    /** Otherwise these tests would not make the accesses of live runs. */
    @Test
    void viewsReachTheirMemory_asPartOfAllMemory() {
        assertTrue(AllMemory.IS_OPEN);
        assertEquals(Long.MAX_VALUE, AllMemory.SEGMENT.byteSize());
    }

    @Test
    void guard_isRefusedInsteadOfForgotten() {
        LongArray view = LongArray.of(1);
        MemorySegment memory = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);

        String text =
                assertThrows(
                                IllegalStateException.class,
                                () ->
                                        ViewBinder.bind(
                                                view,
                                                "data",
                                                memory,
                                                new Refusing(),
                                                ViewLink.LOCAL))
                        .getMessage();

        assertEquals(
                "variable data cannot be guarded in a JVM without -Dmuninn.simulated=true or"
                        + " -Dmuninn.guarded=true",
                text);
        ViewBinder.bind(view, "data", memory, null, ViewLink.LOCAL);
        view.set(0, 3);
        assertEquals(3, view.get(0));
    }
}
