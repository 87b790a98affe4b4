package io.muninn.transport.join;

import io.muninn.model.NodeId;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.Connection;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.LastingStream;
import io.muninn.transport.stream.Link;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives links another connection when theirs was cut or is silent. The side that dialled dials
 * again, from wherever it is now, and both sides prove the secret again. The token of the link
 * shows that both ends are the processes between which it began.
 *
 * <p>Attempts follow each other quickly, because the time is that of the heartbeat limit.
 *
 * <p><b>Threads.</b> The event loop.
 */
public final class Mending implements Dialler.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(Mending.class);

    /** Attempts to connect per heartbeat limit, if nobody answers. */
    private static final int CONNECTS_PER_LIMIT = 10;

    private static final long CONNECT_MILLIS_MIN = 200;

    /** The first handshake may take this part of the heartbeat limit, like the time of a check. */
    private static final int HANDSHAKES_PER_LIMIT = ClusterConfig.CHECKS_PER_LIMIT;

    private static final long HANDSHAKE_MILLIS_MIN = 500;

    /** Determines the address of this node. */
    interface Announcer {
        void announce(NodeId target, Channel reached, Consumer<Address> then);
    }

    private final ClusterConfig config;
    private final NodeId self;
    private final Members members;
    private final String[] addresses; // of all nodes
    private final Announcer announcer;
    private final Consumer<NodeId> mended;
    private final Dialler[] diallers; // of lower nodes
    private boolean isOver;

    /**
     * @param addresses of all nodes but the root, by their indices; changed here, too
     * @param mended receives each node whose link goes on
     */
    Mending(
            AgentEventLoop loop,
            ClusterConfig config,
            Members members,
            String[] addresses,
            Announcer announcer,
            Consumer<NodeId> mended) {
        this.config = config;
        self = config.self();
        this.members = members;
        this.addresses = addresses;
        this.announcer = announcer;
        this.mended = mended;
        long limit = config.heartbeatLimit().toMillis();
        Duration handshake = part(limit / HANDSHAKES_PER_LIMIT, HANDSHAKE_MILLIS_MIN);
        Dialler.Pace pace =
                new Dialler.Pace(
                        part(limit / CONNECTS_PER_LIMIT, CONNECT_MILLIS_MIN),
                        handshake,
                        handshake.multipliedBy(2));
        diallers = new Dialler[config.self().index()];
        Arrays.setAll(diallers, i -> new Dialler(loop, config, NodeId.of(i), pace, this));
    }

    private static Duration part(long millis, long least) {
        return Duration.ofMillis(Math.max(millis, least));
    }

    /**
     * Looks for another connection to a node, if this side dials it and their link can go on.
     *
     * @return false if there is no link to go on
     */
    public boolean mend(NodeId node) {
        boolean lasts = members.lasting(node).isPresent() && !isOver;
        if (lasts && node.index() < self.index() && !diallers[node.index()].isUnderWay()) {
            LOG.debug("node={} event=mend other={}", self, node);
            dial(node);
        }
        return lasts;
    }

    private void dial(NodeId lower) {
        String address = lower.isRoot() ? config.root().toString() : addresses[lower.index()];
        diallers[lower.index()].dial(Joining.parseRoster(address));
    }

    /** Why the last attempt to reach a node again has failed. */
    public String lastReason(NodeId node) {
        return node.index() < self.index()
                ? diallers[node.index()].lastReason()
                : "it did not dial again";
    }

    /**
     * A node listens at another address.
     *
     * @throws OutOfTurn if that is none
     */
    public void onMoved(Control.Moved moved) {
        NodeId node = moved.node();
        Joining.parseRoster(moved.address());
        addresses[node.index()] = moved.address();
        if (node.index() < self.index() && diallers[node.index()].isUnderWay()) {
            dial(node);
        }
    }

    void end() {
        isOver = true;
        for (Dialler dialler : diallers) {
            dialler.end();
        }
    }

    // --- dialling --------------------------------------------------------------------------------

    @Override
    public Connection newConnection() {
        return members.newConnection();
    }

    @Override
    public void announce(NodeId target, Channel reached, Consumer<Address> then) {
        announcer.announce(target, reached, then);
    }

    @Override
    public boolean isWanted(NodeId target) {
        return members.lasting(target).isPresent();
    }

    @Override
    public Optional<Control> opening(NodeId target, Address announced) {
        return members.lasting(target)
                .map(stream -> stream.dial(self.index(), announced.toString()));
    }

    @Override
    public void resumed(NodeId target, Connection connection, int have) {
        Optional<LastingStream> stream = members.lasting(target);
        if (stream.isPresent()) {
            stream.get().resume(connection, stream.get().attempt(), have);
            mended.accept(target);
        } else {
            connection.close(); // the link has ended meanwhile
        }
    }

    @Override
    public void welcomed(NodeId target, Link link) {
        link.close();
        refused(target, "it took the link for a new one");
    }

    @Override
    public void refused(NodeId target, String text) {
        members.lasting(target).ifPresent(stream -> stream.giveUp("did not go on: " + text));
    }

    @Override
    public void lost(NodeId target, String reason) {
        members.failed("node " + target + " took node " + self + " for lost: " + reason);
        members.lasting(target).ifPresent(stream -> stream.giveUp(reason));
    }

    // --- listening -------------------------------------------------------------------------------

    AcceptingHandshake.Resumption resumption(Control.Resume resume) {
        if (resume.node() <= self.index() || resume.node() >= config.nodes()) {
            return new AcceptingHandshake.Resumption.Refused(
                    "node " + resume.node() + " has not dialled node " + self);
        }
        NodeId node = NodeId.of(resume.node());
        if (members.whyLost(node).isPresent()) {
            return new AcceptingHandshake.Resumption.Lost(members.whyLost(node).get());
        }
        Optional<LastingStream> stream =
                members.lasting(node).filter(it -> it.hasToken(resume.token()));
        if (stream.isEmpty()) {
            return new AcceptingHandshake.Resumption.Refused(
                    "node "
                            + self
                            + " has no such link with node "
                            + node
                            + ": one of them was started again, or belongs to another run");
        }
        return stream.get().awaits(resume.connection())
                ? new AcceptingHandshake.Resumption.Agreed(stream.get().nextReceived())
                : new AcceptingHandshake.Resumption.Outdated();
    }

    void resumed(Connection connection, Control.Resume resume) {
        NodeId node = NodeId.of(resume.node());
        members.lasting(node).orElseThrow().resume(connection, resume.connection(), resume.have());
        String before = addresses[node.index()];
        addresses[node.index()] = resume.address();
        if (self.isRoot() && !resume.address().equals(before)) {
            tellOthers(new Control.Moved(node, resume.address()));
        }
        mended.accept(node);
    }

    private void tellOthers(Control.Moved moved) {
        for (int i = 1; i < config.nodes(); i++) {
            if (i != moved.node().index()) {
                members.sendNow(NodeId.of(i), moved);
            }
        }
    }
}
