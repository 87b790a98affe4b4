package io.muninn.launch.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ConvertersTest {
    @ParameterizedTest
    @EnumSource
    void protocol_isReadAsItIsWritten(Protocol protocol) {
        String name = protocol.word();

        assertEquals(protocol, new Converters.ProtocolName().convert(name));
        assertTrue(name.matches("[a-z-]+"), name);
    }

    @Test
    void unknownProtocol_listsTheKnown() {
        String text =
                assertThrows(
                                TypeConversionException.class,
                                () -> new Converters.ProtocolName().convert("writeshared"))
                        .getMessage();

        assertTrue(text.contains("did you mean write-shared?"), text);
        assertTrue(
                text.contains("conventional, read-only, migratory, write-shared, pipelined"), text);
    }

    @ParameterizedTest
    @CsvSource({"G1, -XX:+UseG1GC", "zgc, -XX:+UseZGC", "serial, -XX:+UseSerialGC"})
    void collector_becomesItsFlag(String word, String flag) {
        String collector = new Converters.CollectorName().convert(word);

        assertEquals(flag, Converters.CollectorName.flag(collector));
    }

    @ParameterizedTest
    @CsvSource({"5, 5000", "0.25, 250", "86400, 86400000"})
    void seconds_mayHaveAFraction(String word, long millis) {
        Duration seconds = new Converters.Seconds().convert(word);

        assertEquals(Duration.ofMillis(millis), seconds);
        assertEquals(word, Converters.Seconds.text(seconds));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-1",
                "86401",
                "86400.1",
                "0.0",
                "0.0000000001",
                "1e30",
                "4294967301",
                "five",
                ""
            })
    void seconds_outOfRangeAreRefused(String word) {
        assertThrows(TypeConversionException.class, () -> new Converters.Seconds().convert(word));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "65536, 65536", "64k, 65536", "3M, 3145728", "4g, 4294967296"})
    void bytes_haveSuffixesOf1024(String word, long bytes) {
        assertEquals(bytes, new Converters.Bytes().convert(word));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-5", "4x", "g", "", "9999999999g", "99999999999999999999"})
    void bytes_thatAreNoSizeAreRefused(String word) {
        assertThrows(TypeConversionException.class, () -> new Converters.Bytes().convert(word));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "-7, -7", "42, 42", "0x2a, 42", "0xffffffffffffffff, -1"})
    void seed_isDecimalOrHexadecimal(String word, long seed) {
        assertEquals(seed, new Converters.Seed().convert(word));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "seven", "1.5", "0x", "0x11111111111111111"})
    void wordThatIsNoSeed_saysHowASeedIsWritten(String word) {
        String text =
                assertThrows(
                                TypeConversionException.class,
                                () -> new Converters.Seed().convert(word))
                        .getMessage();

        assertTrue(text.contains("'" + word + "' is no seed; write a number"), text);
    }

    @ParameterizedTest
    @CsvSource({"2, 120000000000", "0.5, 30000000000"})
    void minutes_mayHaveFractions(String word, long nanos) {
        assertEquals(Duration.ofNanos(nanos), new Converters.Minutes().convert(word));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "0", "-1", "20000"})
    void wordThatIsNoNumberOfMinutes_isRefused(String word) {
        assertThrows(TypeConversionException.class, () -> new Converters.Minutes().convert(word));
    }

    @Test
    void unknownNetwork_listsTheKnown() {
        String text =
                assertThrows(
                                TypeConversionException.class,
                                () -> new Converters.NetworkName().convert("ethernet"))
                        .getMessage();

        assertTrue(text.contains("known: ethernet-1991, loopback, rack"), text);
    }
}
