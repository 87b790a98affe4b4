package io.muninn.transport.join;

import io.muninn.model.NodeId;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.loop.Cancellable;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.ByteBufReader;
import io.muninn.transport.stream.Connection;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.Digest;
import io.muninn.transport.stream.Link;
import io.muninn.transport.tls.Tls;
import io.muninn.transport.tls.TlsSession;
import io.muninn.wire.MalformedMessageException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The listening side of the handshake. Until the other side has proved that it has the secret, it
 * may send only tiny frames. The whole handshake has a limit of five seconds unless configured
 * otherwise.
 *
 * <pre>{@code
 * dialling side, node i                listening side, node j
 * TLS, between hosts       <--------->
 * Hello(version, nonce d)  ---------->
 * Claim(i, j)              ---------->
 *                          <----------  Challenge(version, nonce a)
 *                          <----------  Proof("accepted", d, a, i, j)
 * Proof("dialled", ...)    ---------->
 * Join(i, layout, ...)     ---------->
 *                          <----------  Welcome(j), or at any step Refused(text)
 *
 * instead of the join, if these nodes have a link whose connection was cut
 * Resume(i, token, ...)    ---------->
 *                          <----------  Resumed(...), or Lost(i), or Refused(text)
 * }</pre>
 *
 * <p>The listening side proves first. A process that listens at a node's address without the secret
 * therefore learns nothing from the nodes that dial it and receives no join. A proof is valid for
 * one direction, two nonces and two nodes, so it cannot be reflected, replayed or relayed to
 * another node.
 */
final class AcceptingHandshake implements Link.Receiver, FirstBytes.Owner {
    static final String DIALLED = "muninn dialled";
    static final String ACCEPTED = "muninn accepted";
    static final String LINK = "muninn link";
    static final String SAME_SECRET = ": give the same --secret-file to all nodes";
    static final String WRONG_SECRET = "wrong cluster secret" + SAME_SECRET;
    static final String SAME_ON_ALL = ": give --plaintext to all nodes, or to none";

    /**
     * Decides about the other side and receives the outcome: exactly one of the last three methods
     * is called, or {@code resumed}.
     */
    interface Gate {
        /** The reason why the node may not join; empty if it may. */
        Optional<String> refusal(Connection connection, Control.Join join);

        /** True if an older process has the node's place, so that the node must dial again. */
        boolean isTaken(Control.Join join);

        /** Decides whether a link goes on, on the connection of this handshake. */
        Resumption resumption(Control.Resume resume);

        /** The handshake is over and the connection carries a link that was there before. */
        void resumed(AcceptingHandshake handshake, Connection connection, Control.Resume resume);

        /** The other side has proved that it has the secret. */
        void proven(AcceptingHandshake handshake);

        /** The handshake is over and the connection belongs to the gate. */
        void admitted(AcceptingHandshake handshake, Connection connection, Control.Join join);

        /** As {@link #turnedAway}, for a node that began to join and then sent nothing more. */
        void silent(
                AcceptingHandshake handshake, Connection connection, NodeId node, String reason);

        /** The handshake is over and the connection is closed or closing. */
        void turnedAway(AcceptingHandshake handshake, Connection connection, String reason);
    }

    /** The decision about a link that another node wants to go on with. */
    sealed interface Resumption {
        /** It goes on; this side lacks the frames from that number on. */
        record Agreed(int have) implements Resumption {}

        /** An attempt that the other side has given up. */
        record Outdated() implements Resumption {}

        /** The other node has been taken for lost. */
        record Lost(String reason) implements Resumption {}

        record Refused(String text) implements Resumption {}
    }

    private enum Awaited {
        HELLO,
        CLAIM,
        PROOF,
        JOIN,
        NOTHING
    }

    private final AgentEventLoop loop;
    private final Connection connection;
    private final ClusterConfig config;
    private final Secret secret;
    private final NodeId self;
    private final Gate gate;
    private Cancellable deadline;
    private Awaited awaited = Awaited.HELLO;
    private int silentChecks; // since the secret was proved
    private Digest otherNonce = new Digest(0, 0, 0, 0); // no valid value before the hello
    private Control.@Nullable Claim claim; // null before the claim
    private Secret.@Nullable Proofs proofs; // null before the claim

    /**
     * Starts the handshake.
     *
     * @param channel the accepted channel, to whose pipeline the caller then adds the connection
     */
    AcceptingHandshake(
            AgentEventLoop loop,
            Connection connection,
            ClusterConfig config,
            Channel channel,
            Gate gate) {
        this.loop = loop;
        this.connection = connection;
        this.config = config;
        this.secret = config.secret();
        this.self = config.self();
        this.gate = gate;
        deadline =
                loop.patience(
                        config.handshakeTimeout().toNanos(),
                        () -> turnAway("did not finish the handshake in time"));
        connection.receiver(this);
        if (config.root() instanceof Address.Tcp) {
            connection.readsBehindOthers();
            channel.pipeline().addLast(new FirstBytes(this));
        }
    }

    /** True if the other side has not sent its first frame. */
    boolean isUnopened() {
        return awaited == Awaited.HELLO || awaited == Awaited.CLAIM;
    }

    /** Cancels the handshake without a call of the gate. */
    void abandon() {
        settle();
        connection.close();
    }

    @Override
    public void onFrame(ByteBufReader frame) {
        Control message;
        try {
            message = Control.decode(frame);
        } catch (MalformedMessageException malformed) {
            turnAway("sent a malformed message: " + malformed.getMessage());
            return;
        }
        switch (message) {
            case Control.Hello hello when awaited == Awaited.HELLO -> onHello(hello);
            case Control.Claim claim when awaited == Awaited.CLAIM -> onClaim(claim);
            case Control.Proof proof when awaited == Awaited.PROOF -> onProof(proof);
            case Control.Join join when awaited == Awaited.JOIN -> onJoin(join);
            case Control.Resume resume when awaited == Awaited.JOIN -> onResume(resume);
            case Control.Refused _ when awaited == Awaited.PROOF -> // its text is not authenticated
                    turnAway("got a proof of another secret" + SAME_SECRET);
            case Control.Refused(String text) when awaited == Awaited.HELLO ->
                    turnAway("it refuses node " + self + ": " + printable(text));
            default -> turnAway("sent " + message.codec().name() + " out of turn");
        }
    }

    @Override
    public void onEnd(String reason) {
        turnAway(reason);
    }

    /** A text of somebody who may be a stranger: one line of ASCII. */
    private static String printable(String text) {
        return text.replaceAll("[^ -~]", "?");
    }

    /**
     * Goes on with TLS, or without if that is allowed. The answer to a side that speaks the other
     * way is a frame without TLS.
     */
    @Override
    public void onFirstBytes(ChannelHandlerContext context, boolean speaksTls) {
        Tls tls = config.tls();
        if (speaksTls && tls.isOn()) {
            TlsSession session = tls.accepting();
            connection.tls(session);
            context.pipeline().addAfter(context.name(), null, session.sslHandler());
        } else if (speaksTls) {
            refuse("node " + self + " has --plaintext and the other does not" + SAME_ON_ALL);
        } else if (tls.covers(context.channel().remoteAddress())) {
            refuse("node " + self + " speaks TLS only, and the other does not" + SAME_ON_ALL);
        } else {
            connection.readsItself();
        }
    }

    private void onHello(Control.Hello hello) {
        if (hello.protocolVersion() != Control.PROTOCOL_VERSION) {
            refuse(
                    "wrong version: agents speak protocol "
                            + hello.protocolVersion()
                            + " and, on node "
                            + self
                            + ", "
                            + Control.PROTOCOL_VERSION);
            return;
        }
        otherNonce = hello.nonce();
        awaited = Awaited.CLAIM;
    }

    private void onClaim(Control.Claim claim) {
        if (claim.listening() != self.index()) {
            refuse("node " + self + " listens where node " + claim.listening() + " should");
            return;
        }
        if (claim.dialling() >= NodeId.LIVE_MAX) {
            turnAway("claims to be node " + claim.dialling());
            return;
        }
        Optional<String> certificate = connection.tls().flatMap(TlsSession::refusal);
        if (certificate.isPresent()) {
            refuse("the certificate of node " + claim.dialling() + " " + certificate.get());
            return;
        }
        Secret.Part part = begin(secret, connection, claim);
        Secret.Exchange agreed = new Secret.Exchange(otherNonce, part.nonce(), claim);
        Optional<Secret.Proofs> completed = part.complete(agreed);
        if (completed.isEmpty()) {
            turnAway("sent no valid nonce");
            return;
        }
        this.claim = claim;
        proofs = completed.get();
        awaited = Awaited.PROOF;
        connection.writeControl(new Control.Challenge(Control.PROTOCOL_VERSION, part.nonce()));
        connection.writeControl(new Control.Proof(completed.get().of(ACCEPTED)));
        connection.flush();
    }

    /** Begins the exchange that suits the link. */
    static Secret.Part begin(Secret secret, Connection connection, Control.Claim claim) {
        return connection.channel().remoteAddress() instanceof InetSocketAddress
                ? secret.overTcp(
                        claim, connection.tls().map(TlsSession::binding).orElse(new byte[0]))
                : secret.onThisHost();
    }

    private void onProof(Control.Proof proof) {
        if (!proof.digest().matches(Objects.requireNonNull(proofs).of(DIALLED))) {
            refuse(WRONG_SECRET);
            return;
        }
        connection.frameBytesMax(config.frameBytesMax());
        giveToken(connection, Objects.requireNonNull(proofs));
        awaited = Awaited.JOIN;
        deadline.cancel();
        awaitMore();
        gate.proven(this);
    }

    private void onJoin(Control.Join join) {
        int claimed = Objects.requireNonNull(claim).dialling();
        if (join.node() != claimed) {
            turnAway("node " + claimed + " joins as node " + join.node());
            return;
        }
        Optional<String> refusal = gate.refusal(connection, join);
        if (refusal.isPresent()) {
            refuse(refusal.get());
        } else if (gate.isTaken(join)) {
            turnAway("an older process of node " + join.node() + " is connected still");
        } else {
            settle();
            connection.writeControl(new Control.Welcome(self));
            connection.flush();
            connection.checksums(config.checksums());
            gate.admitted(this, connection, join);
        }
    }

    /** A link by TCP can go on with another connection, if that shows the token. */
    static void giveToken(Connection connection, Secret.Proofs proofs) {
        if (connection.channel().remoteAddress() instanceof InetSocketAddress) {
            connection.token(proofs.of(LINK));
        }
    }

    private void onResume(Control.Resume resume) {
        int claimed = Objects.requireNonNull(claim).dialling();
        if (resume.node() != claimed) {
            turnAway("node " + claimed + " resumes a link of node " + resume.node());
            return;
        }
        switch (gate.resumption(resume)) {
            case Resumption.Refused(String text) -> refuse(text);
            case Resumption.Lost(String reason) ->
                    tellWhy(
                            () ->
                                    connection.writeControl(
                                            new Control.Lost(NodeId.of(claimed), reason)),
                            reason);
            case Resumption.Outdated() -> turnAway("came with an attempt that it had given up");
            case Resumption.Agreed(int have) -> {
                settle();
                connection.writeControl(new Control.Resumed(have));
                connection.flush();
                connection.checksums(config.checksums());
                gate.resumed(this, connection, resume);
            }
        }
    }

    /** Checks for silence, as {@link io.muninn.transport.Cluster} does for a joined node. */
    private void awaitMore() {
        long limitNanos = config.joiningLimit().toNanos();
        deadline = loop.schedule(limitNanos / ClusterConfig.CHECKS_PER_LIMIT, this::check);
    }

    private void check() {
        silentChecks = connection.takeArrived() ? 0 : silentChecks + 1;
        if (silentChecks <= ClusterConfig.CHECKS_PER_LIMIT) {
            awaitMore();
            return;
        }
        abandon();
        gate.silent(
                this,
                connection,
                NodeId.of(Objects.requireNonNull(claim).dialling()),
                "silent for " + config.joiningLimit().toMillis() + " ms while it joined");
    }

    private void refuse(String text) {
        tellWhy(() -> connection.refuse(text), text);
    }

    private void tellWhy(Runnable tell, String text) {
        settle();
        tell.run();
        connection.finish(() -> {}); // lingers so that the other side can read the reason
        gate.turnedAway(this, connection, text);
    }

    private void turnAway(String reason) {
        if (awaited != Awaited.NOTHING) {
            abandon();
            gate.turnedAway(this, connection, reason);
        }
    }

    private void settle() {
        awaited = Awaited.NOTHING;
        deadline.cancel();
    }
}
