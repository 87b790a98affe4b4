package io.muninn.bench.floor;

import io.muninn.transport.Address;
import io.muninn.transport.AgentEventLoop;
import io.muninn.transport.BareChannels;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * One process of several that send each other bare bytes, over channels as agents have them.
 *
 * <pre>
 * BareCluster root   exchange ADDRESS SAMPLES REQUEST:REPLY,...   prints its address, then floors
 * BareCluster other  exchange ADDRESS SAMPLES REQUEST:REPLY,...
 * BareCluster root   star     ADDRESS SAMPLES BYTES:BYTES NODES
 * BareCluster other  star     ADDRESS SAMPLES BYTES:BYTES
 * </pre>
 *
 * <p>In a <em>star</em> all others send to the root, which answers all once it has heard all: the
 * messages of a barrier. Both sides know what comes when, so nothing else is sent. Whoever reads
 * the end of standard input ends.
 */
public final class BareCluster {
    /**
     * As long as that of the operations whose floors these are, in samples for each that is kept.
     */
    private static final int WARM_UP_FACTOR = 10;

    /** Of exchanges that take milliseconds, after others. */
    private static final int SHORT_WARM_UP = 1000;

    private static final int LARGE_BYTES = 100_000;

    private final AgentEventLoop loop = new AgentEventLoop(BareCluster::fail);
    private final CountDownLatch done = new CountDownLatch(1);
    private final String kind;
    private final Address address;
    private final int samples;
    private final List<Exchange> exchanges;
    private final int others;

    private BareCluster(List<String> words) {
        kind = words.get(1);
        address = Address.parse(words.get(2));
        samples = Integer.parseInt(words.get(3));
        exchanges = Arrays.stream(words.get(4).split(",")).map(Exchange::parse).toList();
        others = words.size() > 5 ? Integer.parseInt(words.get(5)) - 1 : 1;
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
                continue; // nothing is said on it
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

    private int warmUp(int exchange) {
        boolean isLarge =
                exchange < exchanges.size() && exchanges.get(exchange).requestBytes() > LARGE_BYTES;
        return isLarge ? SHORT_WARM_UP : WARM_UP_FACTOR * samples;
    }

    /** The root of exchanges: sends the next request when the reply is there. */
    private final class Asking extends Received {
        private int index;
        private Samples times = new Samples(warmUp(0), samples);
        private long begin;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            ask(context);
        }

        private void ask(ChannelHandlerContext context) {
            begin = System.nanoTime();
            send(context, exchanges.get(index).requestBytes());
        }

        @Override
        int awaitedBytes() {
            return exchanges.get(Math.min(index, exchanges.size() - 1)).replyBytes();
        }

        @Override
        void onAll(ChannelHandlerContext context) {
            times.add(System.nanoTime() - begin);
            if (times.isFull()) {
                System.out.println(times.line(name(exchanges.get(index))));
                index++;
                times = new Samples(warmUp(index), samples);
            }
            if (index < exchanges.size()) {
                ask(context);
            } else {
                context.close();
                done.countDown();
            }
        }
    }

    /** The other side of exchanges. */
    private final class Answering extends Received {
        private int index;
        private int answered;

        @Override
        int awaitedBytes() {
            return exchanges.get(Math.min(index, exchanges.size() - 1)).requestBytes();
        }

        @Override
        void onAll(ChannelHandlerContext context) {
            int bytes = exchanges.get(index).replyBytes();
            answered++;
            if (answered == warmUp(index) + samples) {
                answered = 0;
                index++;
            }
            send(context, bytes);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            done.countDown();
        }
    }

    /** The root of a star. */
    private final class Star {
        private final List<ChannelHandlerContext> members = new ArrayList<>();
        private final Samples times = new Samples(warmUp(0), samples);
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
            long now = System.nanoTime();
            if (begin != 0) {
                times.add(now - begin);
            }
            begin = now;
            if (times.isFull()) {
                System.out.println(times.line("netty-star-" + (others + 1)));
                members.forEach(ChannelHandlerContext::close);
                done.countDown();
            } else {
                members.forEach(member -> Received.send(member, bytes));
            }
        }
    }

    /** Of a star: arrives again as soon as it may go. */
    private final class Member extends Received {
        private final int bytes = exchanges.getFirst().requestBytes();

        @Override
        public void channelActive(ChannelHandlerContext context) {
            send(context, bytes);
        }

        @Override
        int awaitedBytes() {
            return bytes;
        }

        @Override
        void onAll(ChannelHandlerContext context) {
            send(context, bytes);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            done.countDown();
        }
    }
}
