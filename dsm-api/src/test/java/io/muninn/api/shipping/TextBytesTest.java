package io.muninn.api.shipping;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextBytesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"", "abc", "gr\u00fc\u00df", "\u20ac\uD7FF\uE000\uFFFD", "\uD83D\uDE00"})
    void unicodeText_isUtf8(String text) {
        assertArrayEquals(text.getBytes(StandardCharsets.UTF_8), TextBytes.encode(text));
        assertEquals(text, TextBytes.decode(TextBytes.encode(text)));
    }

    @Test
    void unpairedSurrogate_hasThreeBytes() {
        byte[] expected = {'a', (byte) 0xED, (byte) 0xA0, (byte) 0x80, 'b'};

        assertArrayEquals(expected, TextBytes.encode("a\uD800b"));
    }

    /** Uses few characters, so that halves are often adjacent. */
    @Test
    void everyText_arrivesAsItWas() {
        SplittableRandom random = new SplittableRandom(47);
        char[] alphabet = {'a', '?', '\u00fc', '\u20ac', '\uD800', '\uDBFF', '\uDC00', '\uDFFF'};
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int left = random.nextInt(9); left > 0; left--) {
                text.append(alphabet[random.nextInt(alphabet.length)]);
            }
            assertEquals(text.toString(), TextBytes.decode(TextBytes.encode(text.toString())));
        }
    }
}
