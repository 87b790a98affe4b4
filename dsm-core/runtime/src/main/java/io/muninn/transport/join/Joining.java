package io.muninn.transport.join;

import io.muninn.model.NodeId;
import io.muninn.spi.Hosts;
import io.muninn.transport.local.LocalLink;
import io.muninn.transport.local.LocalNode;
import io.muninn.transport.local.LocalNodes;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.net.Address;
import io.muninn.transport.net.RandomBytes;
import io.muninn.transport.stream.Connection;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.Link;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects the nodes of a cluster with each other, until the run starts.
 *
 * <pre>
 *  JOINING   a node dials the root until it is welcome; the root waits for all
 *  MESHING   the root has sent the roster; node i dials every node j with 0 &lt; j &lt; i
 *  READY     this node is connected with every other and has notified the root
 *  STARTED   the root knows that all are ready; the root itself skips READY
 *  ENDED     refused, failed, lost or closed
 * </pre>
 *
 * <p>Only the higher node of a pair dials, one attempt at a time ({@link Dialler}). An attempt that
 * the dialling side gave up, even with its welcome in transit, is replaced by the next one of the
 * same process. Before the start the end of a connection is not a loss, because a node that has
 * given up an attempt, or was restarted, dials again; only silence is.
 *
 * <pre>
 *  a node             JOINING        MESHING              READY                 STARTED
 *  welcome of root    await roster   await roster         await roster          –
 *  welcome of j       –              ready if it is last  –                     –
 *  join of higher j   keep           keep, ready if last  keep in its place     refuse
 *  join, id is taken  turn away, unless of the same process; it dials again     refuse
 *  roster             →MESHING       both: drop moved nodes, dial, →MESHING     out of turn
 *  last is connected  –              tell root, →READY    –                     –
 *  end of root        dial it again; lost if it is not back within the limit    lost
 *  end of j           –              dial j if lower      the same, →MESHING    lost
 *  start              out of turn    lost: missing nodes  →STARTED              ignore
 *  message of j       as start       as start             as start, then take   take
 *  refused by root    →ENDED         →ENDED               →ENDED                –
 *  silence of any     lost           lost                 lost                  lost
 *  time is up         failed         failed               (the root's)          –
 *
 *  the root           JOINING                 MESHING                           STARTED
 *  join               admit                   –                                 refuse
 *  join, id is taken  refuse, unless of the same process: keep in its place,    refuse
 *                     as behind an end
 *  all connected      roster to all, →MESHING –                                 –
 *  end of j, leave    await j                 await j, none is ready, →JOINING  lost, left
 *  ready              old: ignore             note; all: start to all, →STARTED ignore
 *  silence of j       lost                    lost                              lost
 *  time is up         failed, refuse all      failed, refuse all                –
 * </pre>
 *
 * <p>Rosters are numbered, and a ready message names its roster: one that crossed a newer roster is
 * ignored. Time is up when no further node has joined or become ready for the join timeout.
 */
public final class Joining implements AcceptingHandshake.Gate, Dialler.Owner, LocalNode {
    private static final Logger LOG = LoggerFactory.getLogger(Joining.class);

    private enum Phase {
        JOINING,
        MESHING,
        READY,
        STARTED,
        ENDED
    }

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);

    private final AgentEventLoop loop;
    private final ClusterConfig config;
    private final NodeId self;
    private final LocalNodes locals;
    private final Members members;
    private final Admission admission;
    private final Arrivals arrivals;
    private final Doorway doorway;
    private final long incarnation = RandomBytes.number();
    private final long[] incarnations;
    private final boolean[] ready; // at the root, for the current roster
    private final String[] addresses; // of all nodes: from joins, or from the roster
    private final int[] firsts; // of each node's agent, at the root
    private Hosts hosts;
    private final Dialler[] diallers; // of lower nodes
    private final Mending mending;
    private final JoinTexts texts;
    private Phase phase = Phase.JOINING;
    private int roster; // number of the last roster; 0 before the first
    private String lastTurnedAway = "";
    private String lostRoot = ""; // why the connection to the root ended; empty if it has not
    private boolean isShut;
    private final JoinClock clock;

    public Joining(AgentEventLoop loop, ClusterConfig config, LocalNodes locals, Members members) {
        this.loop = loop;
        this.config = config;
        this.locals = locals;
        this.members = members;
        self = config.self();
        admission = new Admission(config);
        arrivals = new Arrivals(members::turnedAway);
        doorway = new Doorway(loop, config, members::turnedAway, this::accept, members::failed);
        clock = new JoinClock(loop, config.joinTimeout(), this::onTimeout);
        int nodes = config.nodes();
        incarnations = new long[nodes];
        ready = new boolean[nodes];
        addresses = new String[nodes];
        Arrays.fill(addresses, "");
        firsts = new int[nodes];
        hosts = Hosts.one(nodes);
        diallers = new Dialler[self.index()];
        Dialler.Pace pace =
                new Dialler.Pace(CONNECT_LIMIT, config.handshakeTimeout(), config.joinTimeout());
        Arrays.setAll(diallers, i -> new Dialler(loop, config, NodeId.of(i), pace, this));
        texts = new JoinTexts(config, doorway, diallers);
        mending = new Mending(loop, config, members, addresses, this::announce, this::onMended);
    }

    public void start() {
        if (config.nodes() == 1) {
            begin();
            return;
        }
        clock.start();
        if (self.isRoot()) {
            clock.tellProgress(this::tellProgress);
        }
        if (locals.serveAll(config.nodes())) {
            onOpen();
        } else {
            doorway.open(this::onOpen);
        }
    }

    @Override
    public NodeId self() {
        return self;
    }

    public Address address() {
        return doorway.address();
    }

    public boolean hasStarted() {
        return phase == Phase.STARTED;
    }

    /** True if the run can no longer start. */
    public boolean hasEnded() {
        return phase == Phase.ENDED;
    }

    /**
     * Cancels all attempts in progress. Connections that have passed the handshake are kept, and
     * links that last go on.
     */
    public void end() {
        phase = Phase.ENDED;
        clock.stop();
        locals.close(this);
        for (Dialler dialler : diallers) {
            dialler.end();
        }
        if (others().allMatch(node -> members.lasting(node).isEmpty())) {
            shut();
        }
    }

    /** Nothing goes on from now on. */
    public void shut() {
        doorway.close();
        arrivals.abandon();
        mending.end();
        isShut = true;
    }

    // --- listening and dialling ------------------------------------------------------------------

    private void onOpen() {
        if (phase == Phase.ENDED) {
            return;
        }
        if (self.isRoot() && !locals.serveAll(config.nodes())) {
            members.listening(doorway.address());
        }
        locals.open(this);
        if (!self.isRoot()) {
            dial(NodeId.ROOT, config.root().toString());
        }
    }

    /**
     * Connects this node with a lower one, at once or later.
     *
     * @param address where that node listens, unless this agent serves it
     */
    private void dial(NodeId lower, String address) {
        if (locals.serveAll(config.nodes())) {
            locals.dial(this, lower);
        } else if (locals.serves(lower)) {
            doorway.openBeside(config.root(), () -> locals.dial(this, lower));
        } else {
            diallers[lower.index()].dial(parseRoster(address));
        }
    }

    private Connection accept(Channel channel) {
        Connection connection = members.newConnection();
        if (isShut) {
            loop.execute(connection::close); // it is not in a pipeline yet
        } else {
            arrivals.add(new AcceptingHandshake(loop, connection, config, channel, this), channel);
        }
        return connection;
    }

    @Override
    public Connection newConnection() {
        return members.newConnection();
    }

    @Override
    public void announce(NodeId target, Channel reached, Consumer<Address> then) {
        if (target.isRoot()) {
            doorway.announce(reached, then);
        } else {
            then.accept(doorway.address());
        }
    }

    @Override
    public Optional<Control> opening(NodeId target, Address announced) {
        return Optional.of(join(announced.toString()));
    }

    /** The description of this node when it joins another node of this agent. */
    @Override
    public Control.Join joinHere() {
        return join(locals.serveAll(config.nodes()) ? "" : doorway.address().toString());
    }

    private Control.Join join(String announced) {
        return new Control.Join(
                self.index(),
                config.nodes(),
                locals.first().index(),
                config.heartbeatLimit().toMillis(),
                incarnation,
                config.version(),
                announced,
                config.layout());
    }

    @Override
    public void refused(NodeId target, String text) {
        if (target.isRoot()) {
            members.refused(text);
        } else {
            members.failed("node " + target + " refused node " + self + ": " + text);
        }
    }

    @Override
    public void welcomed(NodeId target, Link link) {
        members.attach(target, link);
        reached(target);
    }

    private void reached(NodeId target) {
        if (target.isRoot()) {
            LOG.debug("node={} event=joined root={}", self, config.root());
            lostRoot = "";
            clock.disarm(); // the root keeps the deadline from now on
        }
        reportIfConnected();
    }

    /**
     * Handles the end of a connection that had passed the handshake.
     *
     * @param inOrder true if the node announced that it leaves
     * @return true if the cluster continues without it until it reconnects
     */
    public boolean forgives(NodeId node, String reason, boolean inOrder) {
        if (phase == Phase.STARTED || phase == Phase.ENDED || (inOrder && node.isRoot())) {
            return false;
        }
        LOG.warn("node={} event=unjoined other={} reason=\"{}\"", self, node, reason);
        if (self.isRoot()) {
            phase = Phase.JOINING;
            Arrays.fill(ready, false);
            return true;
        }
        if (phase == Phase.READY) {
            phase = Phase.MESHING;
        }
        if (node.isRoot()) {
            lostRoot = reason;
        }
        if (node.index() < self.index() && !mending.mend(node)) {
            dial(node, node.isRoot() ? config.root().toString() : addresses[node.index()]);
        }
        if (!lostRoot.isEmpty()) {
            clock.arm(config.joiningLimit());
        } else if (phase == Phase.MESHING) {
            clock.arm(config.joinTimeout());
        }
        return true;
    }

    // --- links that last -------------------------------------------------------------------------

    /** Gives links another connection. */
    public Mending mending() {
        return mending;
    }

    @Override
    public AcceptingHandshake.Resumption resumption(Control.Resume resume) {
        return mending.resumption(resume);
    }

    @Override
    public void resumed(
            AcceptingHandshake handshake, Connection connection, Control.Resume resume) {
        arrivals.forget(handshake);
        mending.resumed(connection, resume);
    }

    /** A link goes on. */
    private void onMended(NodeId node) {
        if (phase == Phase.STARTED || phase == Phase.ENDED) {
            return;
        }
        if (self.isRoot()) {
            connected();
        } else if (node.index() < self.index()) {
            reached(node);
        } else {
            reportIfConnected();
        }
    }

    // --- admitting -------------------------------------------------------------------------------

    @Override
    public Optional<String> refusal(Connection connection, Control.Join join) {
        boolean local =
                !(connection.channel().remoteAddress() instanceof InetSocketAddress remote)
                        || remote.getAddress().isLoopbackAddress();
        return refusalHere(join).or(() -> admission.unreachable(join, local, connection.tls()));
    }

    @Override
    public Optional<String> refusalHere(Control.Join join) {
        return admission.mismatch(join).or(() -> duplicate(join));
    }

    @Override
    public void turnedAwayHere(Control.Join join, String reason) {
        lastTurnedAway = reason;
        members.turnedAway("node " + join.node() + " of this agent " + reason);
    }

    @Override
    public LocalLink newLocalLink() {
        return members.newLocalLink();
    }

    private Optional<String> duplicate(Control.Join join) {
        boolean open = phase.compareTo(Phase.STARTED) < 0;
        if (phase == Phase.ENDED) {
            return Optional.of("the run is over");
        }
        if (!members.isConnected(NodeId.of(join.node()))) {
            return open ? Optional.empty() : Optional.of("the run has begun without this node");
        }
        return open && (isSameProcess(join) || !self.isRoot())
                ? Optional.empty()
                : Optional.of("node " + join.node() + " has joined already");
    }

    private boolean isSameProcess(Control.Join join) {
        return incarnations[join.node()] == join.incarnation();
    }

    /** Only the root decides which of two processes is the node. */
    @Override
    public boolean isTaken(Control.Join join) {
        return members.isConnected(NodeId.of(join.node())) && !isSameProcess(join);
    }

    @Override
    public void proven(AcceptingHandshake handshake) {
        arrivals.onProven(handshake);
    }

    @Override
    public void admitted(AcceptingHandshake handshake, Connection connection, Control.Join join) {
        arrivals.forget(handshake);
        admit(connection, join);
    }

    @Override
    public void admit(Link link, Control.Join join) {
        NodeId node = NodeId.of(join.node());
        addresses[join.node()] = join.address();
        incarnations[join.node()] = join.incarnation();
        firsts[join.node()] = join.host();
        members.attach(node, link);
        if (!self.isRoot()) {
            reportIfConnected();
            return;
        }
        LOG.debug("node={} event=admitted other={} address={}", self, node, join.address());
        connected();
    }

    /** At the root: a node is connected again, or for the first time. */
    private void connected() {
        phase = Phase.JOINING; // also if the node has replaced its connection: it needs the roster
        List<NodeId> missing = missing();
        clock.noteProgress(config.nodes() - missing.size());
        if (missing.isEmpty()) {
            sendRoster();
        }
    }

    @Override
    public void turnedAway(AcceptingHandshake handshake, Connection connection, String reason) {
        lastTurnedAway = reason;
        arrivals.turnedAway(connection.channel(), reason);
    }

    @Override
    public void silent(
            AcceptingHandshake handshake, Connection connection, NodeId node, String reason) {
        turnedAway(handshake, connection, reason);
        boolean awaited = node.index() < config.nodes() && !node.equals(self);
        if (awaited && phase.compareTo(Phase.STARTED) < 0 && !members.isConnected(node)) {
            members.lost(node, reason);
        }
    }

    // --- roster, ready, start --------------------------------------------------------------------

    private void sendRoster() {
        List<Control.Roster.Place> places = new ArrayList<>();
        for (int i = 0; i < firsts.length; i++) {
            places.add(new Control.Roster.Place(addresses[i], firsts[i]));
        }
        phase = Phase.MESHING;
        roster++;
        Arrays.fill(ready, false);
        Control.Roster message = new Control.Roster(roster, places);
        hosts = message.hosts();
        others().forEach(node -> members.sendNow(node, message));
    }

    /**
     * At a node: handles the root's roster of addresses.
     *
     * @throws OutOfTurn if it is not valid in this state, or at all
     */
    public void onRoster(Control.Roster message) {
        List<Control.Roster.Place> places = message.places();
        if (phase == Phase.STARTED || places.size() != config.nodes()) {
            throw new OutOfTurn("roster of " + places.size() + " nodes in phase " + phase);
        }
        hosts = message.hosts();
        phase = Phase.MESHING;
        roster = message.number();
        clock.arm(config.joinTimeout());
        for (int i = 1; i < addresses.length; i++) {
            if (i != self.index()) {
                heed(NodeId.of(i), places.get(i).address());
            }
        }
        reportIfConnected();
    }

    /** Records a node's address; a node whose address has changed is another process. */
    private void heed(NodeId node, String address) {
        int i = node.index();
        boolean moved = !address.equals(addresses[i]);
        if (moved && !addresses[i].isEmpty()) {
            members.drop(node);
        }
        addresses[i] = address;
        boolean dials = i < self.index() && !members.isConnected(node);
        if (dials && (moved || !diallers[i].isUnderWay())) {
            dial(node, address);
        }
    }

    static Address parseRoster(String address) {
        try {
            return Address.parse(address);
        } catch (IllegalArgumentException malformed) {
            throw new OutOfTurn("roster: " + malformed.getMessage());
        }
    }

    private void reportIfConnected() {
        if (phase == Phase.MESHING && missing().isEmpty()) {
            phase = Phase.READY;
            clock.disarm();
            members.sendNow(NodeId.ROOT, new Control.Ready(roster));
        }
    }

    /**
     * At the root: a node is connected with every other. It says so again if a connection ended and
     * was replaced.
     *
     * @throws OutOfTurn for a roster that does not exist
     */
    public void onReady(NodeId node, Control.Ready message) {
        if (message.roster() > roster) {
            throw new OutOfTurn("ready for roster " + message.roster() + " in phase " + phase);
        }
        if (phase != Phase.MESHING || message.roster() < roster) {
            return; // it crossed a newer roster, the end of a node, or the start
        }
        ready[node.index()] = true;
        List<NodeId> unready = unready();
        clock.noteProgress(config.nodes() + config.nodes() - unready.size());
        if (unready.isEmpty()) {
            others().forEach(other -> members.sendNow(other, new Control.Start()));
            begin();
        }
    }

    /**
     * At a node: the run has started. The root announces it; a message of a node that received the
     * start earlier also implies it.
     */
    public void onStart() {
        switch (phase) {
            case READY -> begin();
            case STARTED, ENDED -> {} // another node's message or a loss arrived first
            case MESHING -> onStartWithout(missing());
            case JOINING -> throw new OutOfTurn("start in phase " + phase);
        }
    }

    /** The start has crossed the end of a connection. A link that lasts goes on. */
    private void onStartWithout(List<NodeId> missing) {
        List<NodeId> ended =
                missing.stream().filter(node -> members.lasting(node).isEmpty()).toList();
        if (ended.isEmpty()) {
            begin();
        } else {
            members.lost(ended.getFirst(), "unreachable when the run started");
        }
    }

    private void begin() {
        phase = Phase.STARTED;
        clock.stop();
        if (!self.isRoot() && config.root() instanceof Address.Unix) {
            doorway.close(); // others listen: the root to refuse late nodes, by TCP for new links
        }
        members.started(hosts);
    }

    // --- time ------------------------------------------------------------------------------------

    private void tellProgress() {
        boolean all = phase != Phase.JOINING;
        members.progress(texts.progress(all, all ? unready() : missing(), clock.seconds()));
    }

    private void onTimeout() {
        if (!lostRoot.isEmpty()) {
            members.lost(
                    NodeId.ROOT,
                    lostRoot + ", and did not answer again: " + diallers[0].lastReason());
            return;
        }
        List<NodeId> awaited = self.isRoot() && phase != Phase.JOINING ? unready() : missing();
        String text =
                texts.timeout(phase == Phase.JOINING, awaited, lastTurnedAway)
                        + " within "
                        + clock.limitText();
        if (self.isRoot()) {
            Control refused = new Control.Refused("node " + self + ": " + text);
            others().forEach(node -> members.sendNow(node, refused));
        }
        Consumer<String> end = lastTurnedAway.isEmpty() ? members::failed : members::unfit;
        end.accept(text);
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
}
