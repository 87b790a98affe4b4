package io.muninn.transport;

import io.muninn.model.NodeId;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** How one node takes part in a cluster. Immutable; made by {@link #builder}. */
public final class ClusterConfig {
    /** Longest frame, unless configured: code and body, in bytes. */
    public static final int FRAME_BYTES_MAX = 128 << 20;

    private static final int ROOT_NAME_LENGTH_MAX = 80;

    /** Nodes for which limits hold as they are while they join; so many more, and once more. */
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
    private final boolean rings;

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
        rings = builder.rings;
    }

    /**
     * @param self this node
     * @param nodes nodes of the cluster, {@code self} included, 1 to {@link NodeId#NODES_MAX}
     * @param root where the root listens; only the root may say port 0
     * @param secret what all nodes share
     * @throws IllegalArgumentException naming the value that is out of range
     */
    public static Builder builder(NodeId self, int nodes, Address root, Secret secret) {
        return new Builder(self, nodes, root, secret);
    }

    NodeId self() {
        return self;
    }

    int nodes() {
        return nodes;
    }

    Address root() {
        return root;
    }

    Secret secret() {
        return secret;
    }

    /** Where this node was told to listen; port 0 for any, or on the root for the root's. */
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

    Duration heartbeatLimit() {
        return heartbeatLimit;
    }

    /** The heartbeat limit while nodes join: all do, at the same time and perhaps on one host. */
    public static Duration joiningLimit(Duration heartbeatLimit, int nodes) {
        return heartbeatLimit.multipliedBy(joiningFactor(nodes));
    }

    Duration joiningLimit() {
        return joiningLimit(heartbeatLimit, nodes);
    }

    /** How many times longer limits are while nodes join. */
    int joiningFactor() {
        return joiningFactor(nodes);
    }

    private static int joiningFactor(int nodes) {
        return 1 + nodes / NODES_OF_LIMIT;
    }

    Duration joinTimeout() {
        return joinTimeout;
    }

    int frameBytesMax() {
        return frameBytesMax;
    }

    Duration handshakeTimeout() {
        return handshakeTimeout.multipliedBy(joiningFactor());
    }

    boolean rings() {
        return rings;
    }

    /** What has a default. */
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
        private boolean rings = true;

        private Builder(NodeId self, int nodes, Address root, Secret secret) {
            if (nodes < 1 || nodes > NodeId.NODES_MAX) {
                throw new IllegalArgumentException(
                        nodes + " nodes are outside 1.." + NodeId.NODES_MAX);
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
         * Doorway} says what it is unless given. Without meaning when the root's address is a Unix
         * socket.
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
         * @param text what this node sends
         * @param difference compares another node's text with this node's own; names the first
         *     variable that differs, or is empty if nothing does; runs on the event loop
         */
        public Builder layout(String text, Function<String, Optional<String>> difference) {
            layout = text;
            firstDifference = difference;
            return this;
        }

        /** How long a node may be silent before it is lost; at least 10 ms, the same everywhere. */
        public Builder heartbeatLimit(Duration limit) {
            if (limit.toMillis() < 10) {
                throw new IllegalArgumentException("heartbeat limit " + limit + " is below 10 ms");
            }
            heartbeatLimit = limit;
            return this;
        }

        /** How long to wait for the next node to join, and then for each to reach the others. */
        public Builder joinTimeout(Duration timeout) {
            joinTimeout = timeout;
            return this;
        }

        /** Longest frame this node sends or takes, in bytes; {@link #FRAME_BYTES_MAX} or less. */
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
         * Whether messages go through shared memory where the root's address is a Unix socket, and
         * the other node agrees; on, unless said otherwise.
         */
        public Builder rings(boolean on) {
            rings = on;
            return this;
        }

        /** How long a stranger may take to show the secret, and a node for its first attempt. */
        Builder handshakeTimeout(Duration timeout) {
            handshakeTimeout = timeout;
            return this;
        }

        public ClusterConfig build() {
            return new ClusterConfig(this);
        }
    }
}
