package io.muninn.api.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class OptionsTest {
    private static Options parse(String... words) {
        return Options.parse(List.of(words), "rows=", "seed=", "version=", "trace");
    }

    @Test
    void givenOptions_haveTheirValues() {
        Options options = parse("--rows", "512", "--seed=-7", "--trace", "--version", "mp");

        assertEquals(512, options.integer("rows", 1, 1, 1000));
        assertEquals(-7, options.number("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE));
        assertTrue(options.flag("trace"));
        assertEquals("mp", options.choice("version", List.of("dsm", "mp")));
        assertEquals(Optional.of("mp"), options.text("version"));
    }

    @Test
    void absentOptions_haveTheirDefaults() {
        Options options = parse();

        assertEquals(9, options.integer("rows", 9, 1, 10));
        assertFalse(options.flag("trace"));
        assertEquals(Optional.empty(), options.text("version"));
        assertEquals("dsm", options.choice("version", List.of("dsm", "mp")));
    }

    @Test
    void wrongWords_areRefusedInWords() {
        assertRefused("unknown option --row; known: --rows --seed --version --trace", "--row", "5");
        assertRefused("unknown option 5; known: --rows --seed --version --trace", "5");
        assertRefused("option --rows lacks its value", "--rows");
        assertRefused("option --trace takes no value", "--trace=1");
        assertRefused("option --rows is given twice", "--rows", "1", "--rows=2");
        assertEquals(
                "unknown option --x; there are none",
                assertThrows(IllegalArgumentException.class, () -> Options.parse(List.of("--x")))
                        .getMessage());
    }

    @Test
    void wrongValues_areRefusedWithTheRange() {
        String range = "option --rows is an integer from 1 to 10, not '";
        assertRefusedValue(range + "11'", o -> o.integer("rows", 1, 1, 10), "--rows=11");
        assertRefusedValue(range + "0'", o -> o.integer("rows", 1, 1, 10), "--rows=0");
        assertRefusedValue(range + "ten'", o -> o.integer("rows", 1, 1, 10), "--rows=ten");
        assertRefusedValue(range + "'", o -> o.integer("rows", 1, 1, 10), "--rows=");
        assertRefusedValue(
                "option --version is one of dsm, mp, not 'x'",
                o -> o.choice("version", List.of("dsm", "mp")),
                "--version=x");
    }

    private static void assertRefused(String text, String... words) {
        assertEquals(
                text,
                assertThrows(IllegalArgumentException.class, () -> parse(words)).getMessage());
    }

    private static void assertRefusedValue(String text, Consumer<Options> read, String word) {
        Options options = parse(word);
        assertEquals(
                text,
                assertThrows(IllegalArgumentException.class, () -> read.accept(options))
                        .getMessage());
    }
}
