package io.muninn.api.shipping;

import io.muninn.model.Surrogates;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Texts as bytes: UTF-8, in which an unpaired surrogate has three bytes, as other characters from
 * U+0800 to U+FFFF have. So each text of Java arrives as it was. The encoding is called WTF-8.
 */
final class TextBytes {
    private static final int UNPAIRED_BYTES = 3;

    /** First byte of U+D000 to U+DFFF; UTF-8 has it nowhere else. */
    private static final int FIRST = 0xED;

    /** Least second byte of a surrogate, after {@link #FIRST}; UTF-8 has only smaller ones. */
    private static final int SECOND_MIN = 0xA0;

    /** The character of {@link #FIRST} without bits of other bytes. */
    private static final int BASE = 0xD000;

    private static final int NEXT = 0x80;
    private static final int NEXT_BITS = 6;
    private static final int NEXT_MASK = 0x3F;

    private TextBytes() {}

    static byte[] encode(String text) {
        int unpaired = Surrogates.firstUnpaired(text, 0);
        if (unpaired == Surrogates.NONE) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int from = 0;
        while (unpaired != Surrogates.NONE) {
            out.writeBytes(text.substring(from, unpaired).getBytes(StandardCharsets.UTF_8));
            int half = text.charAt(unpaired);
            out.write(FIRST);
            out.write(NEXT | ((half >> NEXT_BITS) & NEXT_MASK));
            out.write(NEXT | (half & NEXT_MASK));
            from = unpaired + 1;
            unpaired = Surrogates.firstUnpaired(text, from);
        }
        out.writeBytes(text.substring(from).getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    static String decode(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        int from = 0;
        for (int i = 0; i + UNPAIRED_BYTES <= bytes.length; i++) {
            if ((bytes[i] & 0xFF) == FIRST && (bytes[i + 1] & 0xFF) >= SECOND_MIN) {
                text.append(new String(bytes, from, i - from, StandardCharsets.UTF_8));
                int bits = (bytes[i + 1] & NEXT_MASK) << NEXT_BITS | (bytes[i + 2] & NEXT_MASK);
                text.append((char) (BASE | bits));
                from = i + UNPAIRED_BYTES;
            }
        }
        String rest = new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
        return from == 0 ? rest : text.append(rest).toString();
    }
}
