package io.muninn.sync;

import static io.muninn.sync.Acts.send;
import static io.muninn.sync.FakeCargoHold.labelled;
import static io.muninn.sync.FakeCargoHold.stamped;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.kernel.Counted;
import io.muninn.model.NodeId;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.VectorTimestamp;
import io.muninn.sync.CollectionMessage.CollectBegin;
import io.muninn.sync.CollectionMessage.CollectDone;
import io.muninn.sync.CollectionMessage.CollectFree;
import io.muninn.sync.CollectionMessage.CollectHave;
import io.muninn.sync.CollectionMessage.CollectValidate;
import io.muninn.sync.CollectionMessage.CollectWanted;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every cell of the table of {@link CollectionPart}, on node 1 of two, with two protocols. */
class CollectionPartTest {
    private static final long BYTES_MAX = 100;
    private static final NodeId SELF = NodeId.of(1);

    /** Three intervals of this node, and two of the root. */
    private static final VectorTimestamp HAVE =
            VectorTimestamp.zero(2).with(NodeId.ROOT, 2).with(SELF, 3);

    private static final CollectBegin BEGIN = new CollectBegin(1);
    private static final CollectFree FREE = new CollectFree(1);
    private static final GatedRelease.Collection RELEASE = new GatedRelease.Collection(1);

    private final Acts acts = new Acts();
    private final List<String> data = new ArrayList<>();
    private final CollectionPart part =
            new CollectionPart(2, BYTES_MAX, acts::begin, acts.cargo, new Recorded());

    private final class Recorded implements LazyData {
        @Override
        public int parts() {
            return 2;
        }

        @Override
        public void onCollect(long number, VectorTimestamp upTo, Effects out) {
            data.add("collect " + number + " " + upTo);
        }

        @Override
        public void onCollected(VectorTimestamp upTo, Effects out) {
            data.add("collected " + upTo);
        }
    }

    private static CollectValidate validate(long number, VectorTimestamp upTo) {
        return new CollectValidate(number, stamped(upTo, "collected"));
    }

    private void keep(long bytes) {
        part.onKept(bytes, acts.out);
    }

    private void perform(long number) {
        part.onPartPerformed(number, acts.out);
    }

    /** Continues to a state of the table, and discards the effects. */
    private void become(String state) {
        List<String> path =
                List.of("Idle", "Asked", "Releasing", "Gathered", "Validating", "Validated");
        List<Runnable> steps =
                List.of(
                        () -> keep(BYTES_MAX + 1),
                        () -> part.onOrder(BEGIN, acts.out),
                        () -> part.onReleasePerformed(RELEASE, acts.out),
                        () -> part.onOrder(validate(1, HAVE), acts.out),
                        () -> {
                            perform(1);
                            perform(1);
                        });
        steps.subList(0, path.indexOf(state)).forEach(Runnable::run);
        assertEquals(state, part.state());
        acts.quietly();
        data.clear();
    }

    // Idle

    @Test
    void idle_moreThanTheBoundIsKept_asksOnce() {
        keep(BYTES_MAX);
        acts.expect(new Counted(NodeCounter.LAZY_BYTES_MOST, BYTES_MAX));
        assertEquals("Idle", part.state());

        keep(BYTES_MAX + 5);
        keep(BYTES_MAX + 5);

        acts.expect(new Counted(NodeCounter.LAZY_BYTES_MOST, 5), send(0, CollectWanted.INSTANCE));
        assertEquals("Asked", part.state());
    }

    @ParameterizedTest
    @MethodSource("beforeTheBegin")
    void idleOrAsked_begin_releases(String state) {
        become(state);

        part.onOrder(BEGIN, acts.out);

        acts.expectBegun(RELEASE);
        acts.expect();
        assertEquals("Releasing", part.state());
    }

    static Stream<String> beforeTheBegin() {
        return Stream.of("Idle", "Asked");
    }

    // what follows

    @Test
    void releasing_releasePerformed_sendsWhatTheNodeHas() {
        become("Releasing");

        part.onReleasePerformed(RELEASE, acts.out);

        acts.expect(send(0, new CollectHave(1, labelled("have"))));
        assertEquals("Gathered", part.state());
    }

    @Test
    void gathered_validate_reachesEveryProtocol() {
        become("Gathered");

        part.onOrder(validate(1, HAVE), acts.out);

        assertEquals(List.of("collect 1 " + HAVE), data);
        acts.expect();
        assertEquals("Validating", part.state());
    }

    @Test
    void validating_lastProtocolPerformed_isDone() {
        become("Validating");

        perform(1);
        acts.expect();
        perform(1);

        acts.expect(send(0, new CollectDone(1)));
        assertEquals("Validated", part.state());
        assertEquals(List.of(), data);
    }

    @Test
    void validated_free_dropsWhatIsCollectedAndMayAskAgain() {
        become("Validated");

        part.onOrder(FREE, acts.out);
        assertEquals(List.of("collected " + HAVE), data);
        assertEquals("Idle", part.state());
        keep(BYTES_MAX + 1);

        acts.expect(send(0, CollectWanted.INSTANCE));
    }

    @ParameterizedTest
    @MethodSource("afterAsking")
    void askedOrLater_moreThanTheBoundIsKept_asksNothing(String state) {
        become(state);

        keep(BYTES_MAX + 1);

        acts.expect();
        assertEquals(state, part.state());
    }

    static Stream<String> afterAsking() {
        return Stream.of("Asked", "Releasing", "Gathered", "Validating", "Validated");
    }

    // impossible

    private record Act(String name, Consumer<CollectionPartTest> act) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Arguments> impossible() {
        Act begin = new Act("begin", test -> test.part.onOrder(BEGIN, test.acts.out));
        Act released =
                new Act("released", test -> test.part.onReleasePerformed(RELEASE, test.acts.out));
        Act validate = new Act("validate", test -> test.order(1));
        Act performed = new Act("performed", test -> test.perform(1));
        Act free = new Act("free", test -> test.part.onOrder(FREE, test.acts.out));
        Stream.Builder<Arguments> cells = Stream.builder();
        add(cells, "Idle", released, validate, performed, free);
        add(cells, "Asked", released, validate, performed, free);
        add(cells, "Releasing", begin, validate, performed, free);
        add(cells, "Gathered", begin, released, performed, free);
        add(cells, "Validating", begin, released, validate, free);
        add(cells, "Validated", begin, released, validate, performed);
        return cells.build();
    }

    private static void add(Stream.Builder<Arguments> cells, String state, Act... acts) {
        for (Act act : acts) {
            cells.add(Arguments.of(state, act));
        }
    }

    private void order(long number) {
        part.onOrder(validate(number, HAVE), acts.out);
    }

    @ParameterizedTest
    @MethodSource("impossible")
    void everyOtherCell_isImpossible(String state, Act act) {
        become(state);

        acts.expectViolation(() -> act.act().accept(this), "collection=", "state=" + state);
    }

    @Test
    void messagesOfAnotherCollection_areImpossible() {
        become("Gathered");
        acts.expectViolation(() -> order(2), "collection=1 state=Gathered");

        order(1);
        acts.expectViolation(() -> perform(2), "collection=1 state=Validating");

        perform(1);
        perform(1);
        acts.expectViolation(
                () -> part.onOrder(new CollectFree(2), acts.out), "collection=1 state=Validated");
    }
}
