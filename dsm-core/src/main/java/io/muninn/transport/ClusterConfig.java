package io.muninn.transport;

import io.muninn.model.NodeId;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * How one node takes part in a cluster. Immutable; made by {@link #builder}.
 *
 * <p>Host names are resolved when it is built, by the thread that builds it: the event loop never
 * asks a name server.
 */
public final class ClusterConfig {
    /** Longest frame, unless configured: code and body, in bytes. */
    public static final int FRAME_BYTES_MAX = 128 << 20;

    private static final int ROOT_NAME_LENGTH_MAX = 80;
    private static final String LOOPBACK = "127.0.0.1";

    private final NodeId self;
    private final int nodes;
    private final Address root;
    private final Secret secret;
    private final String listenHost;
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
        root = resolved(builder.root);
        secret = builder.secret;
        listenHost = numeric(listenHost(builder));
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

    String listenHost() {
        return listenHost;
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

    Duration joinTimeout() {
        return joinTimeout;
    }

    int frameBytesMax() {
        return frameBytesMax;
    }

    Duration handshakeTimeout() {
        return handshakeTimeout;
    }

    boolean rings() {
        return rings;
    }

    private static String listenHost(Builder builder) {
        if (!builder.listenHost.isEmpty()) {
            return builder.listenHost;
        }
        boolean rootHasHost = builder.self.isRoot() && builder.root instanceof Address.Tcp;
        return rootHasHost ? ((Address.Tcp) builder.root).host() : LOOPBACK;
    }

    private static Address resolved(Address address) {
        return switch (address) {
            case Address.Tcp(String host, int port) -> new Address.Tcp(numeric(host), port);
            case Address.Unix unix -> unix;
        };
    }

    private static String numeric(String host) {
        try {
            return InetAddress.getByName(host).getHostAddress();
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException("host '" + host + "' is unknown", unknown);
        }
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
        private String listenHost = "";
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
         * The local TCP address to listen on. Unless given: loopback, and on the root the host of
         * the root's address. Without meaning when the root's address is a Unix socket.
         */
        public Builder listenHost(String host) {
            listenHost = host;
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

        /** How long all nodes together may take to join. */
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

        /** How long a stranger may take to show the secret and to join; for tests. */
        Builder handshakeTimeout(Duration timeout) {
            handshakeTimeout = timeout;
            return this;
        }

        public ClusterConfig build() {
            return new ClusterConfig(this);
        }
    }
}
