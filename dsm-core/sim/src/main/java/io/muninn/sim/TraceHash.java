package io.muninn.sim;

/** A hash of all actions of a run and their order: 64-bit FNV-1a over words. */
final class TraceHash {
    private static final long BASIS = 0xCBF29CE484222325L;
    private static final long PRIME = 0x100000001B3L;

    private long value = BASIS;

    void add(long word) {
        value = (value ^ word) * PRIME;
        value ^= value >>> 32;
    }

    void add(byte[] bytes) {
        add(bytes.length);
        long word = 0;
        for (int i = 0; i < bytes.length; i++) {
            word = word << 8 | bytes[i] & 0xFF;
            if ((i & 7) == 7) {
                add(word);
            }
        }
        add(word);
    }

    void add(String text) {
        for (int i = 0; i < text.length(); i++) {
            add(text.charAt(i));
        }
    }

    long value() {
        return value;
    }
}
