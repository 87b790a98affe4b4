package io.muninn.transport.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.transport.TestNode;
import io.muninn.transport.join.ClusterConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
    @ParameterizedTest
    @ValueSource(strings = {"localhost:7000", "10.0.0.1:0", "[::1]:65535", "unix:@run-17"})
    void text_survivesParsing(String text) {
        assertEquals(text, Address.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", "host:", ":7", "host:seven", "host:65536", "host:-1"})
    void textThatIsNoAddress_isRefusedNamingIt(String text) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> Address.parse(text));

        assertTrue(refused.getMessage().contains(text.split(":")[0]), refused.getMessage());
    }

    @Test
    void socketNameThatDoesNotFit_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> Address.parse("unix:@"));
        assertThrows(
                IllegalArgumentException.class, () -> Address.parse("unix:@" + "n".repeat(108)));
        Address long81 = Address.parse("unix:@" + "n".repeat(81));
        assertThrows(
                IllegalArgumentException.class,
                () -> ClusterConfig.builder(NodeId.ROOT, 2, long81, TestNode.SECRET));
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1,10.0.0.1:0",
        "name:7000,name:7000",
        "::1,[::1]:0",
        "[::1],[::1]:0",
        "[::1]:65535,[::1]:65535"
    })
    void placeToListen_mayLeaveThePortOpen(String text, String address) {
        assertEquals(Address.parse(address), Address.Tcp.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host:", ":7000", "host:65536", "unix:@name"})
    void placeToListenThatIsNone_isRefusedNamingIt(String text) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> Address.Tcp.parse(text));

        assertTrue(refused.getMessage().contains(text.split(":")[0]), refused.getMessage());
    }

    @Test
    void nodeWithoutTheRootsPort_isRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        ClusterConfig.builder(
                                NodeId.of(1), 2, Address.parse("host:0"), TestNode.SECRET));
    }
}
