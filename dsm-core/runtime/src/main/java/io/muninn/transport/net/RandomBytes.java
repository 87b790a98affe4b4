package io.muninn.transport.net;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Unpredictable random bytes, from the device that {@link java.security.SecureRandom} uses on
 * Linux. That class first searches the security providers for a generator, which would noticeably
 * delay the start of a process.
 *
 * <p><b>Threads.</b> Any.
 */
public final class RandomBytes {
    private static final String DEVICE = "/dev/urandom";

    private RandomBytes() {}

    /**
     * Returns {@code count} random bytes.
     *
     * @throws UncheckedIOException if this process cannot read the system's device
     */
    public static byte[] of(int count) {
        try (InputStream device = new FileInputStream(DEVICE)) {
            byte[] bytes = device.readNBytes(count);
            if (bytes.length < count) {
                throw new IOException(
                        DEVICE + " gave " + bytes.length + " bytes instead of " + count);
            }
            return bytes;
        } catch (IOException cause) {
            throw new UncheckedIOException("no random bytes: " + cause.getMessage(), cause);
        }
    }

    /** A number of 64 random bits. */
    public static long number() {
        return ByteBuffer.wrap(of(Long.BYTES)).getLong();
    }
}
