package io.muninn.nativefault;

import org.junit.jupiter.api.Timeout;

/** The same tests with waits that first poll, for longer than some of them last. */
@Timeout(60)
class SpinningCallChannelTest extends CallChannelTest {
    @Override
    long spinNanos() {
        return 100_000_000;
    }
}
