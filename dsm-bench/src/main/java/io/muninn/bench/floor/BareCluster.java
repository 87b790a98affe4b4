package io.muninn.bench.floor;

import io.muninn.apps.Turns;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Series;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.net.Address;
import io.muninn.transport.net.BareChannels;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One of several processes that exchange bare bytes over the kind of channels that agents use.
 *
 * <pre>
 * BareCluster root   exchange ADDRESS SAMPLES MILLIS REQUEST:REPLY,...
 * BareCluster other  exchange ADDRESS SAMPLES MILLIS REQUEST:REPLY,...
 * BareCluster root   star     ADDRESS SAMPLES MILLIS BYTES:BYTES NODES
 * BareCluster other  star     ADDRESS SAMPLES MILLIS BYTES:BYTES
 * </pre>
 *
 * <p>The root prints its address, then the floors. MILLIS is the longest warm-up of each floor; a
 * warm-up ends by the same rule as that of operations. The first byte of a request is the index of
 * its exchange, so that no other messages are needed.
 *
 * <p>In a <em>star</em> all other processes send to the root, which answers all of them after the
 * last message has arrived, as in a barrier. A process ends when it reads end of file on standard
 * input.
 *
 * <p>If the environment requests {@linkplain Turns turns}, there is only one exchange, or the star.
 * Each measured batch is one turn of the root.
 */
public final class BareCluster {
    private final AgentEventLoop loop = new AgentEventLoop(BareCluster::fail);
    private final CountDownLatch done = new CountDownLatch(1);
    private final String kind;
    private final Address address;
    private final Effort effort;
    private final List<Exchange> exchanges;
    private final int others;
    private Optional<Turns> turns = Optional.empty(); // present from the first measured batch on

    private BareCluster(List<String> words) {
        kind = words.get(1);
        address = Address.parse(words.get(2));
        effort =
                new Effort(
                        Integer.parseInt(words.get(3)),
                        TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words.get(4))));
        exchanges = Arrays.stream(words.get(5).split(",")).map(Exchange::parse).toList();
        others = words.size() > 6 ? Integer.parseInt(words.get(6)) - 1 : 1;
    }

    public static void main(String[] words) throws InterruptedException {
        Thread.ofPlatform().daemon().name("end-of-input").start(BareCluster::endWithInput);
        BareCluster cluster = new BareCluster(List.of(words));
        if (words[0].equals("root")) {
            cluster.listen();
        } else {
            cluster.connect();
        }
        cluster.done.await();
        cluster.loop.close();
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                // ignores all input
            }
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
        Runtime.getRuntime().halt(1);
    }

    private static void fail(Throwable cause) {
        cause.printStackTrace();
        Runtime.getRuntime().halt(1);
    }

    private void listen() throws InterruptedException {
        Star star = new Star();
        ChannelFuture bound =
                BareChannels.listen(
                                loop,
                                address,
                                () -> kind.equals("star") ? star.newMember() : new Asking())
                        .sync();
        Channel listener = bound.channel();
        boolean isTcp = listener.localAddress() instanceof InetSocketAddress;
        System.out.println(
                isTcp
                        ? "127.0.0.1:" + ((InetSocketAddress) listener.localAddress()).getPort()
                        : address.toString());
    }

    private void connect() throws InterruptedException {
        BareChannels.connect(loop, address, kind.equals("star") ? new Member() : new Answering())
                .sync();
    }

    private String name(Exchange exchange) {
        String channel = address instanceof Address.Tcp ? "tcp" : "unix";
        return "netty-" + channel + "-" + exchange.requestBytes() + "-" + exchange.replyBytes();
    }

    /** Adds a time. Called on the root only, which ends the warm-up and waits for its turns. */
    private void add(Series series, long nanos) {
        series.add(nanos);
        if (series.isFull()) {
            turns.ifPresent(Turns::passLast);
        } else if (series.isBetweenBatches()) {
            turns.ifPresent(Turns::pass);
            turns.ifPresent(Turns::await);
        } else if (!series.hasBegun() && series.isWarm()) {
            series.begin();
            turns = Turns.ofEnvironment();
            turns.ifPresent(Turns::await);
        }
    }

    /** The root of exchanges: sends the next request when the reply has arrived. */
    private final class Asking extends Received {
        private int index;
        private Series times = effort.series(name(exchanges.getFirst()));
        private long begin;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            ask(context);
        }

        private void ask(ChannelHandlerContext context) {
            begin = System.nanoTime();
            send(context, exchanges.get(index).requestBytes(), index);
        }

        @Override
        int awaitedBytes() {
            return exchanges.get(Math.min(index, exchanges.size() - 1)).replyBytes();
        }

        @Override
        void onAll(ChannelHandlerContext context) {
            add(times, System.nanoTime() - begin);
            if (times.isFull()) {
                System.out.println(times.measured().line());
                index++;
            }
            if (index < exchanges.size()) {
                if (times.isFull()) {
                    times = effort.series(name(exchanges.get(index)));
                }
                ask(context);
            } else {
                context.close();
                done.countDown();
            }
        }
    }

    /** The other process of exchanges: answers each request. */
    private final class Answering extends Received {
        private int index;

        @Override
        void onFirst(byte first) {
            index = first;
        }

        @Override
        int awaitedBytes() {
            return exchanges.get(index).requestBytes();
        }

        @Override
        void onAll(ChannelHandlerContext context) {
            send(context, exchanges.get(index).replyBytes(), index);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            done.countDown();
        }
    }

    /** The root of a star. */
    private final class Star {
        private final List<ChannelHandlerContext> members = new ArrayList<>();
        private final Series times = effort.series("netty-star-" + (others + 1));
        private final int bytes = exchanges.getFirst().requestBytes();
        private int arrived;
        private long begin;

        Received newMember() {
            return new Received() {
                @Override
                public void channelActive(ChannelHandlerContext context) {
                    members.add(context);
                }

                @Override
                int awaitedBytes() {
                    return bytes;
                }

                @Override
                void onAll(ChannelHandlerContext context) {
                    onArrival();
                }
            };
        }

        private void onArrival() {
            arrived++;
            if (arrived < others) {
                return;
            }
            arrived = 0;
            if (begin != 0) {
                add(times, System.nanoTime() - begin);
            }
            begin = System.nanoTime();
            if (times.isFull()) {
                System.out.println(times.measured().line());
                members.forEach(ChannelHandlerContext::close);
                done.countDown();
            } else {
                members.forEach(member -> Received.send(member, bytes, 0));
            }
        }
    }

    /** A process of a star other than the root: sends again as soon as the answer arrives. */
    private final class Member extends Received {
        private final int bytes = exchanges.getFirst().requestBytes();

        @Override
        public void channelActive(ChannelHandlerContext context) {
            send(context, bytes, 0);
        }

        @Override
        int awaitedBytes() {
            return bytes;
        }

        @Override
        void onAll(ChannelHandlerContext context) {
            send(context, bytes, 0);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            done.countDown();
        }
    }
}
