package io.muninn.transport.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muninn.transport.TestCluster;
import io.muninn.transport.join.Speaker;
import io.netty.channel.Channel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SocketsTest {
    private static final IntegerUnixChannelOption OPTION =
            new IntegerUnixChannelOption("TCP_RTO_MAX_MS", 6, 44);

    /** {@code NetworkE2eTest} tests the purpose. */
    @Test
    void timeBetweenTries_isAFifthOfTheLimitWhereTheSystemCan() throws Exception {
        Epoll.ensureAvailability(); // loads the classes that the channel needs
        EpollSocketChannel channel = new EpollSocketChannel();
        try {
            assumeTrue(Sockets.retryWithin(channel, Duration.ofSeconds(5)), "Linux before 6.15");
            assertEquals(1_000, channel.config().getOption(OPTION));
            assertTrue(Sockets.retryWithin(channel, Duration.ofMillis(10)));
            assertEquals(1_000, channel.config().getOption(OPTION));
            assertTrue(Sockets.retryWithin(channel, Duration.ofSeconds(60)));
            assertEquals(12_000, channel.config().getOption(OPTION));
            assertTrue(Sockets.retryWithin(channel, Duration.ofHours(10)));
            assertEquals(120_000, channel.config().getOption(OPTION));
        } finally {
            channel.unsafe().closeForcibly();
        }
    }

    @Test
    void unixSocket_needsNothing() throws Exception {
        try (Speaker speaker = Speaker.listen(TestCluster.unixRoot())) {
            Channel channel = speaker.listening();

            assertFalse(Sockets.retryWithin(channel, Duration.ofSeconds(5)));
        }
    }
}
