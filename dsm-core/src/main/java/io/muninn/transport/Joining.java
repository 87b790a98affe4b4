package io.muninn.transport;

import io.muninn.model.NodeId;
import io.muninn.nativefault.NativeCallException;
import io.muninn.nativefault.RingEnd;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the nodes of a cluster find each other, until the run starts.
 *
 * <pre>
 *  JOINING   every node but the root listens, then dials the root until it is welcome
 *  MESHING   the root has sent the roster; node i dials every node j with 0 &lt; j &lt; i
 *  READY     this node is connected with every other and has told the root
 *  STARTED   the root knows that all are ready; the root itself skips READY
 *  ENDED     refused, failed or closed
 * </pre>
 *
 * <p>Only the higher node of a pair dials, and one attempt at a time, so there is one connection
 * per pair. An attempt the dialling side gave up and the other side does not know of yet is
 * replaced by the next one of the same process.
 */
final class Joining implements AcceptingHandshake.Gate, DiallingHandshake.Caller {
    private static final Logger LOG = LoggerFactory.getLogger(Joining.class);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** What joining needs from the cluster it makes. */
    interface Members {
        Connection newConnection();

        /** Whether there is an open connection that passed the handshake. */
        boolean isConnected(NodeId node);

        /** Takes a connection that passed the handshake; an older one to that node is closed. */
        void attach(NodeId node, Connection connection);

        void sendNow(NodeId node, Control control);

        void listening(Address address);

        /** A connection is closed before it belongs to a node. */
        void turnedAway(String reason);

        void started();

        void refused(String text);

        void failed(String text);
    }

    private enum Phase {
        JOINING,
        MESHING,
        READY,
        STARTED,
        ENDED
    }

    private final AgentEventLoop loop;
    private final ClusterConfig config;
    private final NodeId self;
    private final Members members;
    private final Admission admission;
    private final long incarnation = RandomBytes.number();
    private final long[] incarnations;
    private final boolean[] ready;
    private final String[] addresses; // where nodes listen; from joins at the root, then the roster
    private final String[] lastReasons; // why the last attempt to reach a node broke
    private final Arrivals arrivals;
    private final @Nullable DiallingHandshake[] dialling; // null where no handshake is under way
    private Phase phase = Phase.JOINING;
    private String lastTurnedAway = "";
    private Address bound;
    private @Nullable Channel listener; // null until bound
    private @Nullable Cancellable deadline; // null while no time runs

    Joining(AgentEventLoop loop, ClusterConfig config, Members members) {
        this.loop = loop;
        this.config = config;
        this.members = members;
        self = config.self();
        admission = new Admission(config);
        arrivals = new Arrivals(members::turnedAway);
        int nodes = config.nodes();
        incarnations = new long[nodes];
        ready = new boolean[nodes];
        addresses = new String[nodes];
        Arrays.fill(addresses, "");
        lastReasons = new String[nodes];
        Arrays.fill(lastReasons, "no answer");
        dialling = new DiallingHandshake[nodes];
        bound = listenAddress();
    }

    void start() {
        if (config.nodes() == 1) {
            begin();
            return;
        }
        arm();
        ChannelFuture binding =
                Sockets.listen(loop.group(), bound, members::turnedAway, this::accept);
        binding.addListener(_ -> loop.run(() -> onBound(binding)));
    }

    boolean hasStarted() {
        return phase == Phase.STARTED;
    }

    /** Gives up everything under way. Connections that passed the handshake are not touched. */
    void end() {
        phase = Phase.ENDED;
        disarm();
        closeListener();
        arrivals.abandon();
        for (DiallingHandshake handshake : dialling) {
            if (handshake != null) {
                handshake.abandon();
            }
        }
    }

    /**
     * Hears of the end of a connection that had passed the handshake.
     *
     * @return whether the cluster goes on without it: the root still waits for nodes to join
     */
    boolean forgives(NodeId node, String reason) {
        boolean forgiven = self.isRoot() && phase == Phase.JOINING;
        if (forgiven) {
            LOG.warn("node={} event=unjoined other={} reason=\"{}\"", self, node, reason);
        }
        return forgiven;
    }

    // --- listening and dialling ------------------------------------------------------------------

    private Address listenAddress() {
        return switch (config.root()) {
            case Address.Tcp(String _, int port) ->
                    new Address.Tcp(config.listenHost(), self.isRoot() ? port : 0);
            case Address.Unix root when self.isRoot() -> root;
            case Address.Unix(String name) -> // random: nobody can have taken it
                    new Address.Unix(
                            name
                                    + "."
                                    + self
                                    + "."
                                    + HexFormat.of().toHexDigits(RandomBytes.number()));
        };
    }

    private void onBound(ChannelFuture binding) {
        if (!binding.isSuccess()) {
            members.failed(
                    "node %s cannot listen on %s: %s"
                            .formatted(self, bound, binding.cause().getMessage()));
            return;
        }
        listener = binding.channel();
        if (phase == Phase.ENDED) {
            closeListener();
            return;
        }
        bound = Sockets.bound(binding.channel(), bound);
        LOG.debug("node={} event=listening address={}", self, bound);
        if (self.isRoot()) {
            members.listening(bound);
        } else {
            dial(NodeId.ROOT, config.root());
        }
    }

    private Connection accept(Channel channel) {
        Connection connection = members.newConnection();
        if (phase == Phase.ENDED) {
            loop.execute(connection::close); // it is in no pipeline yet
        } else {
            Digest nonce = Digest.random();
            arrivals.add(new AcceptingHandshake(loop, connection, config, nonce, this), channel);
        }
        return connection;
    }

    private void dial(NodeId target, Address address) {
        if (phase == Phase.ENDED) {
            return;
        }
        Connection connection = members.newConnection();
        ChannelFuture connecting = Sockets.connect(loop.group(), address, connection);
        connecting.addListener(_ -> loop.run(() -> onDialled(target, connection, connecting)));
    }

    private void onDialled(NodeId target, Connection connection, ChannelFuture connecting) {
        if (phase == Phase.ENDED) {
            connecting.channel().close();
        } else if (!connecting.isSuccess()) {
            broken(target, String.valueOf(connecting.cause().getMessage()));
        } else {
            Optional<RingEnd> rings = newRings(connection);
            Control.Join join = join(connecting.channel(), rings.isPresent());
            DiallingHandshake.Target goal = new DiallingHandshake.Target(target, join, rings);
            Digest nonce = Digest.random();
            dialling[target.index()] =
                    new DiallingHandshake(loop, connection, config, goal, nonce, this);
        }
    }

    /** To share with the other node, if it is on this host; without them the socket does it. */
    private Optional<RingEnd> newRings(Connection connection) {
        if (!config.rings() || !connection.passesDescriptors()) {
            return Optional.empty();
        }
        try {
            return Optional.of(RingEnd.create());
        } catch (NativeCallException cause) {
            LOG.warn("node={} event=no-rings reason=\"{}\"", self, cause.getMessage());
            return Optional.empty();
        }
    }

    private Control.Join join(Channel channel, boolean rings) {
        return new Control.Join(
                self.index(),
                config.nodes(),
                config.heartbeatLimit().toMillis(),
                incarnation,
                config.version(),
                announced(channel).toString(),
                config.layout(),
                rings);
    }

    /** Where others reach this node: one that listens on every address names the one in use. */
    private Address announced(Channel channel) {
        if (bound instanceof Address.Tcp(String host, int port)
                && InetAddress.ofLiteral(host).isAnyLocalAddress()) {
            InetSocketAddress local = (InetSocketAddress) channel.localAddress();
            return new Address.Tcp(local.getAddress().getHostAddress(), port);
        }
        return bound;
    }

    @Override
    public void broken(NodeId target, String reason) {
        dialling[target.index()] = null;
        lastReasons[target.index()] = reason;
        LOG.debug("node={} event=retry other={} reason=\"{}\"", self, target, reason);
        Address address =
                target.isRoot() ? config.root() : Address.parse(addresses[target.index()]);
        loop.schedule(RETRY_NANOS, () -> dial(target, address));
    }

    @Override
    public void refused(NodeId target, String text) {
        dialling[target.index()] = null;
        if (target.isRoot()) {
            members.refused(text);
        } else {
            members.failed("node " + target + " refused node " + self + ": " + text);
        }
    }

    @Override
    public void welcomed(NodeId target, Connection connection) {
        dialling[target.index()] = null;
        members.attach(target, connection);
        if (target.isRoot()) {
            LOG.debug("node={} event=joined root={}", self, config.root());
            disarm(); // from here on the root watches the time
        }
        reportIfConnected();
    }

    // --- admitting -------------------------------------------------------------------------------

    @Override
    public Optional<String> refusal(Connection connection, Control.Join join) {
        boolean local =
                !(connection.channel().remoteAddress() instanceof InetSocketAddress remote)
                        || remote.getAddress().isLoopbackAddress();
        return admission
                .mismatch(join)
                .or(() -> duplicate(join))
                .or(() -> admission.unreachable(join, local));
    }

    private Optional<String> duplicate(Control.Join join) {
        boolean sameProcess = incarnations[join.node()] == join.incarnation();
        boolean open = self.isRoot() ? phase == Phase.JOINING : phase.compareTo(Phase.READY) < 0;
        if (!members.isConnected(NodeId.of(join.node()))) {
            return open ? Optional.empty() : Optional.of("the run has begun without this node");
        }
        return open && sameProcess
                ? Optional.empty()
                : Optional.of("node " + join.node() + " has joined already");
    }

    @Override
    public void proven(AcceptingHandshake handshake) {
        arrivals.onProven(handshake);
    }

    @Override
    public void admitted(AcceptingHandshake handshake, Connection connection, Control.Join join) {
        arrivals.forget(handshake);
        NodeId node = NodeId.of(join.node());
        addresses[join.node()] = join.address();
        incarnations[join.node()] = join.incarnation();
        members.attach(node, connection);
        if (!self.isRoot()) {
            reportIfConnected();
            return;
        }
        LOG.debug("node={} event=admitted other={} address={}", self, node, join.address());
        if (missing().isEmpty()) {
            sendRoster();
        }
    }

    @Override
    public void turnedAway(AcceptingHandshake handshake, Connection connection, String reason) {
        lastTurnedAway = reason;
        arrivals.turnedAway(connection.channel(), reason);
    }

    // --- roster, ready, start --------------------------------------------------------------------

    private void sendRoster() {
        phase = Phase.MESHING;
        arm();
        Control.Roster roster = new Control.Roster(Arrays.asList(addresses));
        others().forEach(node -> members.sendNow(node, roster));
    }

    /**
     * At a node: the root says where everybody listens.
     *
     * @throws OutOfTurn if it makes no sense now, or never
     */
    void onRoster(Control.Roster roster) {
        if (phase != Phase.JOINING || roster.addresses().size() != config.nodes()) {
            throw new OutOfTurn(
                    "roster of " + roster.addresses().size() + " nodes in phase " + phase);
        }
        phase = Phase.MESHING;
        arm();
        for (int i = 1; i < self.index(); i++) {
            addresses[i] = roster.addresses().get(i);
            dial(NodeId.of(i), parseRoster(addresses[i]));
        }
        reportIfConnected();
    }

    private static Address parseRoster(String address) {
        try {
            return Address.parse(address);
        } catch (IllegalArgumentException malformed) {
            throw new OutOfTurn("roster: " + malformed.getMessage());
        }
    }

    private void reportIfConnected() {
        if (phase == Phase.MESHING && missing().isEmpty()) {
            phase = Phase.READY;
            disarm();
            members.sendNow(NodeId.ROOT, new Control.Ready());
        }
    }

    /** At the root: a node is connected with every other. */
    void onReady(NodeId node) {
        if (phase != Phase.MESHING) {
            throw new OutOfTurn("ready in phase " + phase);
        }
        ready[node.index()] = true;
        if (unready().isEmpty()) {
            disarm();
            others().forEach(other -> members.sendNow(other, new Control.Start()));
            begin();
        }
    }

    /**
     * At a node: the run has started. The root says so; a message of another node that heard it
     * earlier proves it too.
     */
    void onStart() {
        switch (phase) {
            case READY -> begin();
            case STARTED -> {} // another node's message came first
            case JOINING, MESHING, ENDED -> throw new OutOfTurn("start in phase " + phase);
        }
    }

    private void begin() {
        phase = Phase.STARTED;
        if (!self.isRoot()) {
            closeListener(); // the root's stays, to tell latecomers why
        }
        members.started();
    }

    // --- time ------------------------------------------------------------------------------------

    private void arm() {
        disarm();
        deadline = loop.schedule(config.joinTimeout().toNanos(), this::onTimeout);
    }

    private void disarm() {
        if (deadline != null) {
            deadline.cancel();
            deadline = null;
        }
    }

    private void onTimeout() {
        String text = timeoutText() + " within " + joinTimeoutText();
        if (self.isRoot()) {
            Control refused = new Control.Refused("node " + self + ": " + text);
            others().forEach(node -> members.sendNow(node, refused));
        }
        members.failed(text);
    }

    private String timeoutText() {
        List<NodeId> missing = missing();
        if (self.isRoot() && phase == Phase.JOINING) {
            String hint =
                    lastTurnedAway.isEmpty() ? "" : " (last turned away: " + lastTurnedAway + ")";
            return names(missing) + " did not join" + hint;
        }
        if (self.isRoot()) {
            return names(unready()) + " did not reach the other nodes";
        }
        if (phase == Phase.JOINING) {
            return "the root at "
                    + config.root()
                    + " did not answer ("
                    + lastReasons[NodeId.ROOT.index()]
                    + ")";
        }
        String reasons =
                missing.stream()
                        .map(node -> lastReasons[node.index()])
                        .distinct()
                        .collect(Collectors.joining("; "));
        return "no connection with " + names(missing) + " (" + reasons + ")";
    }

    private String joinTimeoutText() {
        Duration timeout = config.joinTimeout();
        return timeout.toMillis() % 1000 == 0
                ? timeout.toSeconds() + " s"
                : timeout.toMillis() + " ms";
    }

    private static String names(List<NodeId> nodes) {
        String list = nodes.stream().map(NodeId::toString).collect(Collectors.joining(", "));
        return (nodes.size() == 1 ? "node " : "nodes ") + list;
    }

    private List<NodeId> missing() {
        return others().filter(node -> !members.isConnected(node)).toList();
    }

    private List<NodeId> unready() {
        return others().filter(node -> !ready[node.index()]).toList();
    }

    private Stream<NodeId> others() {
        return IntStream.range(0, config.nodes())
                .filter(i -> i != self.index())
                .mapToObj(NodeId::of);
    }

    private void closeListener() {
        if (listener != null) {
            listener.close();
            listener = null;
        }
    }
}
