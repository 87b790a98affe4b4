package io.muninn.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "1023, 1023 B",
        "1024, 1.00 KiB",
        "15360, 15.0 KiB",
        "1048576, 1.00 MiB",
        "9223372036854775807, 8192 PiB"
    })
    void bytes_growWithTheirUnit(long bytes, String text) {
        assertEquals(text, Units.bytes(bytes));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "999, 999 ns",
        "1000, 1.00 µs",
        "12500, 12.5 µs",
        "123456789, 123 ms",
        "1500000000, 1.50 s",
        "61000000000, 61.0 s"
    })
    void nanos_growWithTheirUnit(long nanos, String text) {
        assertEquals(text, Units.nanos(nanos));
    }
}
