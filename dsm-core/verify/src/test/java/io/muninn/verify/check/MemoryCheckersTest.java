package io.muninn.verify.check;

import static io.muninn.model.MappingId.FIRST;
import static io.muninn.verify.check.Runs.PAGE;
import static io.muninn.verify.check.Runs.SHARED;
import static io.muninn.verify.check.Runs.assertFires;
import static io.muninn.verify.check.Runs.assertSays;
import static io.muninn.verify.check.Runs.effect;
import static io.muninn.verify.check.Runs.once;

import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.model.PageAccess;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.wire.Payload;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Checkers of values: every load in witness order, and every copy at barriers. */
class MemoryCheckersTest {
    private final ClusterView overview = new ClusterView();
    private final OneMemory memory = new OneMemory(overview);
    private final VectorTimestamps timestamps = new VectorTimestamps();
    private final Stores stores = new Stores(overview, timestamps);

    private List<Observer> withOracle(Observer... more) {
        List<Observer> observers = new ArrayList<>(List.of(more));
        observers.addAll(List.of(overview, memory, timestamps, stores));
        observers.add(new MemoryOracle(overview, memory, stores));
        return observers;
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void rightRuns_areSilent(Protocol protocol) {
        List<Observer> observers = withOracle();
        observers.add(new WitnessOrder(overview, memory));

        Runs.run(protocol, observers);
    }

    // witness order

    @ParameterizedTest
    @EnumSource(names = {"CONVENTIONAL", "MIGRATORY", "READ_ONLY"})
    void loadOfWhatNobodyStoredLast_isFound(Protocol protocol) {
        Violation found =
                assertFires(
                        WitnessOrder.NAME,
                        protocol,
                        List.of(
                                overview,
                                memory,
                                once(
                                        MemoryCheckersTest::isInstalled,
                                        node -> change(node, SHARED.offset())),
                                new WitnessOrder(overview, memory)));

        assertSays(found, "loads 99 of 8 bytes at offset 64");
    }

    private static boolean isInstalled(SimNode node, Event event, List<Effect> effects) {
        return effects.stream().anyMatch(effect -> effect instanceof Effect.InstallPage);
    }

    // memory oracle

    /**
     * Protocols with copies that must contain all released stores. With others only loads can be
     * checked.
     */
    static Stream<Protocol> withWholeCopies() {
        return Stream.of(Protocol.values())
                .filter(protocol -> {
                    ProtocolTraits traits = ProtocolKind.of(protocol).traits();
                    return !traits.has(Trait.ACQUIRES_INVALIDATE)
                            || traits.states().stream().anyMatch(state -> state.is(Mark.WHOLE));
                });
    }

    @ParameterizedTest
    @MethodSource("withWholeCopies")
    void copyThatIsNotTheOracleAtABarrier_isFound(Protocol protocol) {
        Violation found =
                assertFires(
                        MemoryOracle.NAME,
                        protocol,
                        withOracle(
                                once(
                                        (node, _, _) -> node.count(NodeCounter.BARRIERS) == 1,
                                        MemoryCheckersTest::changeAnyCopy)));

        assertSays(found, "has 99 at offset 128");
    }

    @ParameterizedTest
    @MethodSource("withWholeCopies")
    void copyThatIsNotTheOracleAtTheEnd_isFound(Protocol protocol) {
        assertFires(
                MemoryOracle.NAME,
                protocol,
                withOracle(atTheEnd(MemoryCheckersTest::changeAnyCopy)));
    }

    @Test
    void twinThatDiffersAtTheEnd_isFound() {
        Violation found =
                assertFires(
                        MemoryOracle.NAME,
                        Protocol.WRITE_SHARED,
                        withOracle(
                                atTheEnd(node -> {
                                    node.pages().setAccess(FIRST, PAGE, PageAccess.READ);
                                    if (!node.pages().hasTwin(PAGE)) {
                                        node.pages().makeTwin(PAGE);
                                    }
                                    node.pages().twin(PAGE).set(ValueLayout.JAVA_BYTE, 9, (byte) 1);
                                })));

        assertSays(found, "has stores in it that no other node has heard of");
    }

    @Test
    void diffLeftAtTheEnd_isFound() {
        Violation found =
                assertFires(
                        MemoryOracle.NAME,
                        Protocol.WRITE_SHARED,
                        withOracle(atTheEnd(node -> node.pages().keepDiff(PAGE, 1, Payload.NONE))));

        assertSays(found, "1 diffs left");
    }

    /**
     * The last operation of a thread is a store, for which no thread waits. This is no violation.
     */
    @Test
    void whatWasStoredAndNeverReleased_isLeftOut() {
        Runs.run(
                Protocol.WRITE_SHARED,
                withOracle(
                        new Observer() {
                            @Override
                            public void onEnded(SimThread thread) {
                                stores.onStore(thread, PAGE, 8, 8, 5);
                                memory.onStore(thread, PAGE, 8, 8, 5);
                            }
                        }));
    }

    private static Observer atTheEnd(Runs.Spoiler spoiler) {
        return new Observer() {
            @Override
            public void onEnd(Simulation simulation) {
                spoiler.spoil(simulation.nodes().getLast());
            }
        };
    }

    private static void changeAnyCopy(SimNode any) {
        SimNode holder =
                any.simulation().nodes().stream()
                        .filter(node -> node.pages().isPresent(PAGE))
                        .findFirst()
                        .orElseThrow();
        change(holder, 2 * SHARED.offset());
    }

    private static void change(SimNode node, int offset) {
        node.pages().content(PAGE).set(ValueLayout.JAVA_LONG, offset, 99);
    }
}
