package io.muninn.transport;

import io.muninn.model.NodeId;
import io.muninn.wire.MalformedMessageException;
import java.util.Optional;

/**
 * The listening side of the handshake. Until the other side has shown the secret it may send tiny
 * frames only, and it has five seconds for the whole unless configured otherwise.
 *
 * <pre>
 *  dialling side                         listening side
 *  Hello(version, nonce d)  ---------->
 *                           <----------  Challenge(version, nonce a)
 *  Proof("dialled", d, a)   ---------->
 *                           <----------  Proof("accepted", d, a)
 *  Join(node, layout, ...)  ---------->
 *                           <----------  Welcome, or at any step Refused(text)
 * </pre>
 */
final class AcceptingHandshake implements Connection.Receiver {
    static final String DIALLED = "muninn dialled";
    static final String ACCEPTED = "muninn accepted";

    /** Who judges the other side, and hears how it ended. Exactly one of the last two is called. */
    interface Gate {
        /** Why this node may not join; empty if it may. */
        Optional<String> refusal(Connection connection, Control.Join join);

        /** The handshake is over and the connection belongs to the gate. */
        void admitted(AcceptingHandshake handshake, Connection connection, Control.Join join);

        /** The handshake is over and the connection is closed or closing. */
        void turnedAway(AcceptingHandshake handshake, Connection connection, String reason);
    }

    private enum Awaited {
        HELLO,
        PROOF,
        JOIN,
        NOTHING
    }

    private final Connection connection;
    private final Secret secret;
    private final NodeId self;
    private final Digest nonce;
    private final int frameBytesMax;
    private final Gate gate;
    private final Cancellable deadline;
    private Awaited awaited = Awaited.HELLO;
    private Digest otherNonce = new Digest(0, 0, 0, 0); // its value has no meaning before the hello

    AcceptingHandshake(
            AgentEventLoop loop,
            Connection connection,
            ClusterConfig config,
            Digest nonce,
            Gate gate) {
        this.connection = connection;
        this.secret = config.secret();
        this.self = config.self();
        this.frameBytesMax = config.frameBytesMax();
        this.nonce = nonce;
        this.gate = gate;
        deadline =
                loop.schedule(
                        config.handshakeTimeout().toNanos(),
                        () -> turnAway("did not finish the handshake in time"));
        connection.receiver(this);
    }

    /** Ends a handshake that is no longer wanted; the gate hears nothing. */
    void abandon() {
        awaited = Awaited.NOTHING;
        deadline.cancel();
        connection.close();
    }

    @Override
    public void onFrame(ByteBufReader frame) {
        Control message;
        try {
            message = Control.decode(frame);
        } catch (MalformedMessageException malformed) {
            turnAway(malformed.getMessage());
            return;
        }
        switch (message) {
            case Control.Hello hello when awaited == Awaited.HELLO -> onHello(hello);
            case Control.Proof proof when awaited == Awaited.PROOF -> onProof(proof);
            case Control.Join join when awaited == Awaited.JOIN -> onJoin(join);
            default -> turnAway("sent " + message.codec().name() + " out of turn");
        }
    }

    @Override
    public void onEnd(String reason) {
        turnAway(reason);
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
        awaited = Awaited.PROOF;
        connection.writeControl(new Control.Challenge(Control.PROTOCOL_VERSION, nonce));
        connection.flush();
    }

    private void onProof(Control.Proof proof) {
        if (!proof.digest().matches(secret.proof(DIALLED, otherNonce, nonce))) {
            refuse("wrong cluster secret");
            return;
        }
        connection.frameBytesMax(frameBytesMax);
        awaited = Awaited.JOIN;
        connection.writeControl(new Control.Proof(secret.proof(ACCEPTED, otherNonce, nonce)));
        connection.flush();
    }

    private void onJoin(Control.Join join) {
        Optional<String> refusal = gate.refusal(connection, join);
        if (refusal.isPresent()) {
            refuse(refusal.get());
            return;
        }
        awaited = Awaited.NOTHING;
        deadline.cancel();
        connection.writeControl(new Control.Welcome(self));
        connection.flush();
        gate.admitted(this, connection, join);
    }

    private void refuse(String text) {
        awaited = Awaited.NOTHING;
        deadline.cancel();
        connection.writeControl(new Control.Refused(text));
        connection.finish(() -> {}); // lingers: the other side is to read why
        gate.turnedAway(this, connection, text);
    }

    private void turnAway(String reason) {
        if (awaited != Awaited.NOTHING) {
            abandon();
            gate.turnedAway(this, connection, reason);
        }
    }
}
