package io.muninn.transport.join;

import io.muninn.transport.TestNode;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.net.Address;
import io.muninn.transport.net.Sockets;
import io.muninn.transport.stream.ByteBufReader;
import io.muninn.transport.stream.ByteBufWriter;
import io.muninn.transport.stream.Connection;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.Digest;
import io.muninn.transport.stream.TransportCounters;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/**
 * Replaces a node in a test: sends the test's messages, and keeps the received ones. If it accepts
 * several connections, it sends on the last one.
 */
public final class Speaker implements AutoCloseable {
    final AgentEventLoop loop = new AgentEventLoop(Speaker::fail);
    final BlockingQueue<Control> heard = new LinkedBlockingQueue<>();
    final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private final CompletableFuture<ChannelFuture> opened = new CompletableFuture<>();
    private Connection connection; // of the loop

    private Speaker() {}

    /** Connects without sending. */
    public static Speaker dial(Address address) throws Exception {
        Speaker speaker = new Speaker();
        speaker.open(() ->
                Sockets.connect(
                        speaker.loop.group(),
                        address,
                        Duration.ofSeconds(TestNode.SECONDS_MAX),
                        speaker.next()));
        return speaker;
    }

    public static Speaker listen(Address address) throws Exception {
        Speaker speaker = new Speaker();
        speaker.open(
                () -> Sockets.listen(speaker.loop.group(), address, _ -> {}, _ -> speaker.next()));
        return speaker;
    }

    private void open(Supplier<ChannelFuture> opening) throws Exception {
        loop.execute(() -> opening.get().addListener(it -> opened.complete((ChannelFuture) it)));
        if (!TestNode.await(opened).isSuccess()) {
            throw new IllegalStateException(opened.get().cause());
        }
    }

    /** The channel that listens. */
    public Channel listening() {
        return opened.join().channel();
    }

    private Connection next() {
        connection =
                new Connection(
                        loop, new ByteBufWriter(TestNode::receivedOnly), new TransportCounters());
        connection.frameBytesMax(ClusterConfig.FRAME_BYTES_MAX);
        connection.receiver(
                new Connection.Receiver() {
                    @Override
                    public void onFrame(ByteBufReader frame) {
                        heard.add(Control.decode(frame));
                    }

                    @Override
                    public void onEnd(String reason) {
                        ends.add(reason);
                    }
                });
        return connection;
    }

    public void say(Control... messages) {
        loop.execute(() -> {
            for (Control message : messages) {
                connection.writeControl(message);
            }
            connection.flush();
        });
    }

    /** The next message other than those that only say who is there. */
    public Control hear() throws Exception {
        Control next = TestNode.take(heard);
        return next instanceof Control.Heartbeat || next instanceof Control.Process ? hear() : next;
    }

    public <T extends Control> T hear(Class<T> type) throws Exception {
        return type.cast(hear());
    }

    /** Begins the exchange of proofs on its last connection. */
    Secret.Part begin(Control.Claim claim) {
        return AcceptingHandshake.begin(TestNode.SECRET, connection, claim);
    }

    /** Proves the secret to the node that it has dialled, up to its join. */
    public void proveTo(int target, int self) throws Exception {
        Control.Claim claim = new Control.Claim(self, target);
        Secret.Part part = begin(claim);
        say(new Control.Hello(Control.PROTOCOL_VERSION, part.nonce()), claim);
        Digest other = hear(Control.Challenge.class).nonce();
        hear(Control.Proof.class);
        Secret.Exchange exchange = new Secret.Exchange(part.nonce(), other, claim);
        Secret.Proofs proofs = part.complete(exchange).orElseThrow();
        say(new Control.Proof(proofs.of(AcceptingHandshake.DIALLED)));
    }

    /** The listening node's handshake: receives and proves, up to the join of the dialling node. */
    Control.Join acceptJoin() throws Exception {
        Digest dialled = hear(Control.Hello.class).nonce();
        Control.Claim claim = hear(Control.Claim.class);
        Secret.Part part = begin(claim);
        Secret.Exchange exchange = new Secret.Exchange(dialled, part.nonce(), claim);
        Digest proof = part.complete(exchange).orElseThrow().of(AcceptingHandshake.ACCEPTED);
        say(
                new Control.Challenge(Control.PROTOCOL_VERSION, part.nonce()),
                new Control.Proof(proof));
        hear(Control.Proof.class);
        return hear(Control.Join.class);
    }

    /** Ends its connection without a message. */
    void hangUp() {
        loop.execute(() -> connection.close());
    }

    /**
     * Ends as a killed process does: without a message, and its socket does not listen any more.
     */
    public void vanish() {
        loop.close();
    }

    @Override
    public void close() {
        vanish();
    }

    private static void fail(Throwable cause) {
        throw new AssertionError(cause);
    }
}
