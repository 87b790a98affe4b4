package io.muninn.nativefault;

import org.junit.jupiter.api.Timeout;

/** The same with waits that begin with looking, for longer than some of them last. */
@Timeout(60)
class SpinningCallChannelTest extends CallChannelTest {
    @Override
    long spinNanos() {
        return 100_000_000;
    }
}
