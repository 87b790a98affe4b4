package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.model.NodeId;
import io.muninn.spi.Cargo;
import io.muninn.spi.Event;
import io.muninn.spi.LogicalClock;
import io.muninn.spi.VectorTimestamp;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/**
 * The intervals that the cargo of node 1 covers, while the release of its second is outstanding.
 */
class CargoLoaderTest {
    private static final NodeId OTHER = NodeId.of(2);

    private final FakeContext context = new FakeContext(1, Protocol.HOME_BASED);
    private final LogicalClock clock = context.clock();
    private final RecordingEffects out = new RecordingEffects();
    private final CargoLoader cargo;

    CargoLoaderTest() {
        ProtocolTable protocols = new ProtocolTable(context, Collections.emptyMap());
        protocols.add(new Event.RegionAdded(context.region()));
        cargo = new CargoLoader(context.self(), context.nodes(), protocols, clock);
        for (int i = 0; i < 2; i++) {
            clock.stored();
            clock.endInterval();
        }
        clock.onReleasePerformed(1);
        clock.onDeposited(timestamp(0, 5));
    }

    private VectorTimestamp timestamp(long own, long other) {
        return VectorTimestamp.zero(context.nodes()).with(context.self(), own).with(OTHER, other);
    }

    private void assertCovers(VectorTimestamp expected, Cargo loaded) {
        assertEquals(expected, cargo.timestamp(loaded));
    }

    @Test
    void whatLeaves_coversWhatIsReleasedAndAcquired() {
        assertCovers(timestamp(1, 0), cargo.onSend(OTHER, out));

        clock.onReleasePerformed(2);
        clock.onAcquirePerformed(timestamp(0, 4));
        assertCovers(timestamp(2, 4), cargo.onSend(OTHER, out));
    }

    @Test
    void whatACollectionMayCover_isReleasedHereOrHasArrived() {
        assertCovers(timestamp(1, 5), cargo.onHave(out));

        clock.onReleasePerformed(2);
        assertCovers(timestamp(2, 5), cargo.onHave(out));
    }

    @Test
    void whatIsCollected_isCoveredAsTheRootSays() {
        assertCovers(timestamp(1, 3), cargo.onCollect(OTHER, timestamp(1, 3), out));
    }
}
