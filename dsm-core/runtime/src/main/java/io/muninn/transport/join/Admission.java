package io.muninn.transport.join;

import io.muninn.model.NodeId;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.Control;
import io.muninn.transport.tls.TlsSession;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;

/** Decides by configuration whether a node that has proved the secret may join. */
final class Admission {
    private final ClusterConfig config;
    private final NodeId self;

    Admission(ClusterConfig config) {
        this.config = config;
        self = config.self();
    }

    /**
     * Describes the first difference between this node's configuration and the joining node's;
     * empty if there is none.
     */
    Optional<String> mismatch(Control.Join join) {
        String joining = "node " + join.node();
        if (!join.version().equals(config.version())) {
            return Optional.of(
                    String.format(
                            Locale.ROOT,
                            "wrong version: %s has '%s', node %s has '%s'",
                            joining,
                            join.version(),
                            self,
                            config.version()));
        }
        if (join.nodes() != config.nodes()) {
            return Optional.of(
                    String.format(
                            Locale.ROOT,
                            "wrong number of nodes: %s expects %s, node %s expects %s",
                            joining,
                            join.nodes(),
                            self,
                            config.nodes()));
        }
        if (join.node() <= self.index() || join.node() >= config.nodes()) {
            return Optional.of(
                    joining + " is outside " + (self.index() + 1) + ".." + (config.nodes() - 1));
        }
        if (join.host() > join.node()) {
            return Optional.of(
                    joining + " is served by an agent whose first node is " + join.host());
        }
        long millis = config.heartbeatLimit().toMillis();
        if (join.heartbeatMillis() != millis) {
            return Optional.of(
                    String.format(
                            Locale.ROOT,
                            "wrong heartbeat limit: %s has %s ms, node %s has %s ms",
                            joining,
                            join.heartbeatMillis(),
                            self,
                            millis));
        }
        return config.firstDifference(join.layout()).map(it -> "layout differs: " + it);
    }

    /**
     * Checks that the other nodes can reach the joining one at its address.
     *
     * @param local true if it joined from this machine
     * @param tls of its connection
     * @return the reason why they cannot; empty if they can
     */
    Optional<String> unreachable(Control.Join join, boolean local, Optional<TlsSession> tls) {
        Optional<InetAddress> address;
        try {
            address =
                    Address.parse(join.address()) instanceof Address.Tcp(String host, int _)
                            ? Optional.of(InetAddress.ofLiteral(host))
                            : Optional.empty();
        } catch (IllegalArgumentException malformed) {
            return Optional.of(
                    String.format(Locale.ROOT, "address '%s' is malformed", join.address()));
        }
        boolean loopback = address.filter(InetAddress::isLoopbackAddress).isPresent();
        if (loopback && !local && config.nodes() > 2) {
            return Optional.of(
                    String.format(
                            Locale.ROOT,
                            "node %s listens on %s, where other machines cannot reach it",
                            join.node(),
                            join.address()));
        }
        return tls.isPresent()
                ? address.flatMap(tls.get()::refusalAt)
                        .map(text -> "the certificate of node " + join.node() + " " + text)
                : Optional.empty();
    }
}
