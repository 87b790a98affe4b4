package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind.BoundProtocol;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.UpdateRules;
import io.muninn.wire.Codec;
import io.muninn.wire.MalformedMessageException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The protocol that is called: that of the pages, or none. The protocols that take part in
 * synchronization.
 */
class ProtocolTableTest {
    private static final NodeId SENDER = NodeId.of(1);
    private static final Effects OUT = new RecordingEffects();

    private final List<String> calls = new ArrayList<>();
    private final ProtocolTable table = table();

    private ProtocolTable table() {
        EnumMap<Protocol, BoundProtocol<?>> protocols = new EnumMap<>(Protocol.class);
        for (Protocol protocol : Protocol.values()) {
            protocols.put(
                    protocol, new BoundProtocol<>(ProtocolMessage.class, recording(protocol)));
        }
        ProtocolTable made = new ProtocolTable(protocols, UpdateRules.DEFAULT);
        made.add(new Event.RegionAdded(region(0, Protocol.MIGRATORY)));
        made.add(new Event.RegionAdded(region(1, Protocol.WRITE_SHARED)));
        made.add(new Event.RegionAdded(region(2, Protocol.WRITE_SHARED)));
        calls.clear();
        return made;
    }

    @SuppressWarnings("unchecked") // a proxy has no type arguments
    private CoherenceProtocol<ProtocolMessage> recording(Protocol protocol) {
        InvocationHandler handler =
                (_, method, arguments) -> {
                    if (arguments == null) {
                        return protocol == Protocol.LAZY; // whether it uses timestamps
                    }
                    List<Object> named = Arrays.asList(arguments);
                    calls.add(
                            protocol
                                    + " "
                                    + method.getName()
                                    + named.subList(0, named.size() - 1)); // without the effects
                    return null;
                };
        return (CoherenceProtocol<ProtocolMessage>)
                Proxy.newProxyInstance(
                        CoherenceProtocol.class.getClassLoader(),
                        new Class<?>[] {CoherenceProtocol.class},
                        handler);
    }

    private static RegionSpec region(int index, Protocol protocol) {
        long bytes = 4L * RegionSpec.MACHINE_PAGE_BYTES;
        return new RegionSpec(index, "r" + index, protocol, index * bytes, bytes, 8, 1, List.of());
    }

    private record About(Optional<Protocol> addressee, List<PageId> pages)
            implements ProtocolMessage {
        @Override
        public int pageCount() {
            return pages.size();
        }

        @Override
        public PageId page(int index) {
            return pages.get(index);
        }

        @Override
        public Codec<?> codec() {
            throw new AssertionError("never sent");
        }

        @Override
        public String toString() {
            return "about " + pages;
        }
    }

    private static About about(PageId... pages) {
        return new About(Optional.empty(), List.of(pages));
    }

    private void assertMalformed(String text, ProtocolMessage message) {
        MalformedMessageException thrown =
                assertThrows(
                        MalformedMessageException.class,
                        () -> table.onMessage(SENDER, message, OUT));
        assertEquals(text, thrown.getMessage());
        assertEquals(List.of(), calls);
    }

    @Test
    void prefetch_reachesTheProtocolOfItsPages() {
        table.onPrefetch(new PageId(0, 3), 1, Mode.READ, OUT);
        table.onPrefetch(new PageId(1, 0), 4, Mode.WRITE, OUT);

        assertEquals(
                List.of(
                        "MIGRATORY onPrefetch[0/3, 1, READ]",
                        "WRITE_SHARED onPrefetch[1/0, 4, WRITE]"),
                calls);
    }

    @Test
    void prefetchOfPagesThatAreNotThere_reachesNone() {
        for (int count : new int[] {-1, 0, 2, Integer.MAX_VALUE}) {
            ProtocolViolation thrown =
                    assertThrows(
                            ProtocolViolation.class,
                            () -> table.onPrefetch(new PageId(1, 3), count, Mode.READ, OUT));
            assertTrue(thrown.getMessage().endsWith("variable 'r1' has 4"), thrown.getMessage());
        }
        assertThrows(
                ProtocolViolation.class,
                () -> table.onPrefetch(new PageId(1, 4), 1, Mode.READ, OUT));
        assertThrows(
                ProtocolViolation.class,
                () -> table.onPrefetch(new PageId(3, 0), 1, Mode.READ, OUT));
        assertEquals(List.of(), calls);
    }

    @Test
    void message_reachesTheProtocolOfItsPages() {
        About message = about(new PageId(1, 2), new PageId(2, 0), new PageId(1, 3));

        table.onMessage(SENDER, message, OUT);

        assertEquals(List.of("WRITE_SHARED onMessage[1, " + message + "]"), calls);
    }

    @Test
    void messageWithoutPages_reachesItsAddressee() {
        About message = new About(Optional.of(Protocol.MIGRATORY), List.of());

        table.onMessage(SENDER, message, OUT);

        assertEquals(List.of("MIGRATORY onMessage[1, about []]"), calls);
    }

    @Test
    void messageOfSeveralProtocols_isMalformed() {
        PageId migratory = new PageId(0, 1);
        PageId shared = new PageId(1, 1);

        assertMalformed("page 1/1 is not MIGRATORY in about [0/1, 1/1]", about(migratory, shared));
        assertMalformed(
                "page 0/1 is not WRITE_SHARED in about [1/1, 2/0, 0/1]",
                about(shared, new PageId(2, 0), migratory));
        assertMalformed(
                "page 1/1 is not MIGRATORY in about [1/1]",
                new About(Optional.of(Protocol.MIGRATORY), List.of(shared)));
    }

    @Test
    void messageWithoutPagesOrAddressee_isMalformed() {
        assertMalformed("no page in about []", about());
    }

    private List<Integer> codesInUse() {
        return table.inUse().stream().map(ProtocolTable.Synchronized::code).toList();
    }

    private static List<Integer> allCodes() {
        return Arrays.stream(Protocol.values()).map(Protocol::code).toList();
    }

    @Test
    void protocolsWithRegions_areInUse_inOrder() {
        table.add(new Event.RegionAdded(region(3, Protocol.CONVENTIONAL)));

        assertEquals(
                List.of(
                        Protocol.CONVENTIONAL.code(),
                        Protocol.MIGRATORY.code(),
                        Protocol.WRITE_SHARED.code()),
                codesInUse());
    }

    @Test
    void whereTimestampsAreUsed_allProtocolsAreInUse() {
        table.add(new Event.RegionAdded(region(3, Protocol.LAZY)));
        table.add(new Event.RegionAdded(region(4, Protocol.CONVENTIONAL)));

        assertEquals(allCodes(), codesInUse());
    }

    @Test
    void onceAllProtocolsAreInUse_theyStayInUse() {
        table.useAll();
        table.add(new Event.RegionAdded(region(3, Protocol.CONVENTIONAL)));

        assertEquals(allCodes(), codesInUse());
    }
}
