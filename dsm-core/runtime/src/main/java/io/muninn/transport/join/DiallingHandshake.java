package io.muninn.transport.join;

import io.muninn.model.NodeId;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.loop.Cancellable;
import io.muninn.transport.stream.ByteBufReader;
import io.muninn.transport.stream.Connection;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.Link;
import io.muninn.wire.MalformedMessageException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** The connecting side of the handshake described at {@link AcceptingHandshake}. */
final class DiallingHandshake implements Link.Receiver {
    /**
     * Receives the outcome. Exactly one method is called, once, unless the handshake is abandoned.
     */
    interface Caller {
        /** The connection belongs to the caller. */
        void welcomed(Connection connection);

        /**
         * The connection belongs to the caller, and carries a link that was there before.
         *
         * @param have number of the next frame that the other side lacks
         */
        void resumed(Connection connection, int have);

        /** The other side has taken this node for lost. */
        void lost(String reason);

        /** The other side is a Muninn agent and refuses this node. */
        void refused(String text);

        /** The handshake failed; another attempt may succeed. */
        void broken(String reason);
    }

    private enum Awaited {
        CHALLENGE,
        PROOF,
        WELCOME,
        NOTHING
    }

    private final Connection connection;
    private final ClusterConfig config;
    private final NodeId target;
    private final Supplier<Optional<Control>> opening;
    private final Secret.Part part;
    private final AgentEventLoop loop;
    private final Duration patience;
    private final Caller caller;
    private Cancellable deadline;
    private Awaited awaited = Awaited.CHALLENGE;
    private Optional<Secret.Proofs> proofs = Optional.empty(); // also after an invalid nonce

    /**
     * Starts the handshake.
     *
     * @param patience time limit for the other side's proof, and again for the rest
     */
    DiallingHandshake(
            AgentEventLoop loop,
            Connection connection,
            ClusterConfig config,
            Target goal,
            Duration patience,
            Caller caller) {
        this.loop = loop;
        this.connection = connection;
        this.config = config;
        this.target = goal.node();
        this.opening = goal.opening();
        this.patience = patience;
        this.caller = caller;
        deadline = armed();
        connection.receiver(this);
        part = AcceptingHandshake.begin(config.secret(), connection, claim());
        connection.writeControl(new Control.Hello(Control.PROTOCOL_VERSION, part.nonce()));
        connection.writeControl(claim());
        connection.flush();
    }

    private Cancellable armed() {
        return loop.patience(
                patience.toNanos(), () -> breakOff("did not finish the handshake in time"));
    }

    private Control.Claim claim() {
        return new Control.Claim(config.self().index(), target.index());
    }

    /**
     * The node to reach and the messages for it.
     *
     * @param node the node that must answer
     * @param opening creates what this node says first, once the other has proved the secret: a
     *     join or a resume; nothing if this node has no use for the connection any more
     */
    record Target(NodeId node, Supplier<Optional<Control>> opening) {}

    /** Cancels the handshake without a call of the caller. */
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
            breakOff("sent a malformed message: " + malformed.getMessage());
            return;
        }
        switch (message) {
            case Control.Challenge challenge when awaited == Awaited.CHALLENGE ->
                    onChallenge(challenge);
            case Control.Proof proof when awaited == Awaited.PROOF -> onProof(proof);
            case Control.Welcome welcome when awaited == Awaited.WELCOME -> onWelcome(welcome);
            case Control.Resumed(int have) when awaited == Awaited.WELCOME -> {
                settle();
                connection.checksums(config.checksums());
                caller.resumed(connection, have);
            }
            case Control.Lost(NodeId node, String reason)
                    when awaited == Awaited.WELCOME && node.equals(config.self()) -> {
                abandon();
                caller.lost(reason);
            }
            case Control.Refused refused -> onRefused(refused.text());
            default -> breakOff("sent " + message.codec().name() + " out of turn");
        }
    }

    @Override
    public void onEnd(String reason) {
        breakOff(reason);
    }

    private void onChallenge(Control.Challenge challenge) {
        if (challenge.protocolVersion() != Control.PROTOCOL_VERSION) {
            onRefused(
                    "wrong version: agents speak protocol "
                            + Control.PROTOCOL_VERSION
                            + " and, on node "
                            + target
                            + ", "
                            + challenge.protocolVersion());
            return;
        }
        proofs = part.complete(new Secret.Exchange(part.nonce(), challenge.nonce(), claim()));
        awaited = Awaited.PROOF;
    }

    private void onProof(Control.Proof proof) {
        if (proofs.isEmpty()
                || !proof.digest().matches(proofs.get().of(AcceptingHandshake.ACCEPTED))) {
            connection.writeControl(new Control.Refused(AcceptingHandshake.WRONG_SECRET));
            connection.flush();
            onRefused(AcceptingHandshake.WRONG_SECRET);
            return;
        }
        connection.frameBytesMax(config.frameBytesMax());
        awaited = Awaited.WELCOME;
        deadline.cancel();
        deadline = armed();
        connection.writeControl(new Control.Proof(proofs.get().of(AcceptingHandshake.DIALLED)));
        AcceptingHandshake.giveToken(connection, proofs.get());
        Optional<Control> first = opening.get();
        if (first.isPresent()) {
            connection.writeControl(first.get());
            connection.flush();
        } else {
            breakOff("is not needed any more");
        }
    }

    private void onWelcome(Control.Welcome welcome) {
        if (!welcome.node().equals(target)) {
            onRefused("node " + welcome.node() + " listens where node " + target + " should");
            return;
        }
        settle();
        connection.checksums(config.checksums());
        caller.welcomed(connection);
    }

    private void onRefused(String text) {
        if (awaited != Awaited.NOTHING) {
            abandon();
            caller.refused(text);
        }
    }

    private void breakOff(String reason) {
        if (awaited != Awaited.NOTHING) {
            abandon();
            caller.broken(reason);
        }
    }

    private void settle() {
        awaited = Awaited.NOTHING;
        deadline.cancel();
    }
}
