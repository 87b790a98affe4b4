package io.muninn.transport.join;

import io.muninn.model.NodeId;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.Connection;
import io.muninn.transport.tls.Tls;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** The configuration of one node of a cluster. Immutable; created by {@link #builder}. */
public final class ClusterConfig {
    /** Default of the longest frame, code and body, in bytes. */
    public static final int FRAME_BYTES_MAX = 128 << 20;

    /** Checks of a node for silence per heartbeat limit; each sends a heartbeat as well. */
    public static final int CHECKS_PER_LIMIT = 5;

    private static final int ROOT_NAME_LENGTH_MAX = 80;

    /** While nodes join, limits grow by their own value for every so many nodes. */
    private static final int NODES_OF_LIMIT = 8;

    private final NodeId self;
    private final int nodes;
    private final Address root;
    private final Secret secret;
    private final Optional<Address.Tcp> listen;
    private final String version;
    private final String layout;
    private final Function<String, Optional<String>> firstDifference;
    private final Duration heartbeatLimit;
    private final Duration joinTimeout;
    private final int frameBytesMax;
    private final Duration handshakeTimeout;
    private final boolean checksums;
    private final Tls tls;

    private ClusterConfig(Builder builder) {
        self = builder.self;
        nodes = builder.nodes;
        root = builder.root;
        secret = builder.secret;
        listen = builder.listen;
        version = builder.version;
        layout = builder.layout;
        firstDifference = builder.firstDifference;
        heartbeatLimit = builder.heartbeatLimit;
        joinTimeout = builder.joinTimeout;
        frameBytesMax = builder.frameBytesMax;
        handshakeTimeout = builder.handshakeTimeout;
        checksums = builder.checksums;
        tls = builder.tls;
    }

    /**
     * @param self this node
     * @param nodes number of nodes of the cluster, including {@code self}, 1 to {@link
     *     NodeId#LIVE_MAX}
     * @param root address of the root; port 0 is allowed on the root only
     * @param secret the secret that all nodes share
     * @throws IllegalArgumentException naming the value that is out of range
     */
    public static Builder builder(NodeId self, int nodes, Address root, Secret secret) {
        return new Builder(self, nodes, root, secret);
    }

    public NodeId self() {
        return self;
    }

    public int nodes() {
        return nodes;
    }

    Address root() {
        return root;
    }

    Secret secret() {
        return secret;
    }

    /**
     * The configured address to listen on; port 0 means any port, or on the root the root's port.
     */
    Optional<Address.Tcp> listen() {
        return listen;
    }

    String version() {
        return version;
    }

    String layout() {
        return layout;
    }

    Optional<String> firstDifference(String theirs) {
        return theirs.equals(layout) ? Optional.empty() : firstDifference.apply(theirs);
    }

    public Duration heartbeatLimit() {
        return heartbeatLimit;
    }

    /**
     * The heartbeat limit while nodes join, which all do at the same time and possibly on one host.
     */
    public static Duration joiningLimit(Duration heartbeatLimit, int nodes) {
        return heartbeatLimit.multipliedBy(joiningFactor(nodes));
    }

    Duration joiningLimit() {
        return joiningLimit(heartbeatLimit, nodes);
    }

    /** The factor by which limits are longer while nodes join. */
    public int joiningFactor() {
        return joiningFactor(nodes);
    }

    private static int joiningFactor(int nodes) {
        return 1 + nodes / NODES_OF_LIMIT;
    }

    Duration joinTimeout() {
        return joinTimeout;
    }

    public int frameBytesMax() {
        return frameBytesMax;
    }

    Tls tls() {
        return tls;
    }

    boolean checksums() {
        return checksums;
    }

    Duration handshakeTimeout() {
        return handshakeTimeout.multipliedBy(joiningFactor());
    }

    /** Sets the options that have defaults. */
    public static final class Builder {
        private static final Duration HEARTBEAT_LIMIT = Duration.ofSeconds(5);
        private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(30);
        private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(5);

        private final NodeId self;
        private final int nodes;
        private final Address root;
        private final Secret secret;
        private Optional<Address.Tcp> listen = Optional.empty();
        private String version = "";
        private String layout = "";
        private Function<String, Optional<String>> firstDifference = _ -> Optional.empty();
        private Duration heartbeatLimit = HEARTBEAT_LIMIT;
        private Duration joinTimeout = JOIN_TIMEOUT;
        private int frameBytesMax = FRAME_BYTES_MAX;
        private Duration handshakeTimeout = HANDSHAKE_TIMEOUT;
        private boolean checksums = true;
        private Tls tls = Tls.USUAL;

        private Builder(NodeId self, int nodes, Address root, Secret secret) {
            if (nodes < 1 || nodes > NodeId.LIVE_MAX) {
                throw new IllegalArgumentException(
                        nodes + " nodes are outside 1.." + NodeId.LIVE_MAX);
            }
            if (self.index() >= nodes) {
                throw new IllegalArgumentException(
                        "node " + self + " is outside 0.." + (nodes - 1));
            }
            if (!self.isRoot() && root instanceof Address.Tcp tcp && tcp.port() == 0) {
                throw new IllegalArgumentException(
                        "node " + self + " needs the root's port, not 0");
            }
            if (root instanceof Address.Unix(String name) && name.length() > ROOT_NAME_LENGTH_MAX) {
                throw new IllegalArgumentException(
                        "socket name '"
                                + name
                                + "' of the root exceeds "
                                + ROOT_NAME_LENGTH_MAX
                                + " characters: the other nodes append to it");
            }
            this.self = self;
            this.nodes = nodes;
            this.root = root;
            this.secret = secret;
        }

        /**
         * The address of this machine on which to listen, {@code host} or {@code host:port}; {@link
         * Doorway} defines the default. Ignored if the root's address is a Unix socket.
         *
         * @throws IllegalArgumentException naming the text, if it is neither form
         */
        public Builder listen(String text) {
            listen = Optional.of(Address.Tcp.parse(text));
            return this;
        }

        /** The program's version; all nodes must have the same. */
        public Builder version(String text) {
            version = text;
            return this;
        }

        /**
         * The layout of the shared variables.
         *
         * @param text the text that this node sends
         * @param difference compares another node's text with this node's own; names the first
         *     variable that differs, or is empty if they are equal; runs on the event loop
         */
        public Builder layout(String text, Function<String, Optional<String>> difference) {
            layout = text;
            firstDifference = difference;
            return this;
        }

        /** The time after which a silent node is lost; at least 10 ms, the same on every node. */
        public Builder heartbeatLimit(Duration limit) {
            if (limit.toMillis() < 10) {
                throw new IllegalArgumentException("heartbeat limit " + limit + " is below 10 ms");
            }
            heartbeatLimit = limit;
            return this;
        }

        /**
         * The time to wait for the next node to join, and then for each node to reach the others.
         */
        public Builder joinTimeout(Duration timeout) {
            joinTimeout = timeout;
            return this;
        }

        /**
         * The longest frame that this node sends or accepts, in bytes; {@link #FRAME_BYTES_MAX} or
         * less.
         */
        public Builder frameBytesMax(int bytes) {
            if (bytes < Connection.STRANGER_FRAME_BYTES_MAX || bytes > FRAME_BYTES_MAX) {
                throw new IllegalArgumentException(
                        "frame bound "
                                + bytes
                                + " is outside "
                                + Connection.STRANGER_FRAME_BYTES_MAX
                                + ".."
                                + FRAME_BYTES_MAX);
            }
            frameBytesMax = bytes;
            return this;
        }

        /**
         * Which links have TLS, the same of all nodes of an agent; by default those between hosts,
         * with a certificate that exists in memory only.
         */
        public Builder tls(Tls links) {
            tls = links;
            return this;
        }

        /**
         * Whether frames have checksums; the same on every node, so it is a part of the version.
         * They have by default.
         */
        public Builder checksums(boolean on) {
            checksums = on;
            return this;
        }

        /**
         * The time for a process to prove the secret, and for the first attempt of a node to
         * connect.
         */
        Builder handshakeTimeout(Duration timeout) {
            handshakeTimeout = timeout;
            return this;
        }

        public ClusterConfig build() {
            return new ClusterConfig(this);
        }
    }
}
