package io.muninn.transport.tls;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which links of an agent have TLS, and by which identity. Links within one host by Unix sockets
 * never have it.
 *
 * <p><b>Threads.</b> Any; the identity of an agent is created once, with its first link.
 */
public final class Tls {
    /** Which links have TLS. */
    public enum Links {
        NONE,
        /** All but those by a loopback address. */
        BETWEEN_HOSTS,
        /** Those by a loopback address, too, which may be forwarded to another machine. */
        ALL
    }

    /** Between hosts, with a certificate of its own: for agents that are given no options. */
    public static final Tls USUAL = ephemeral(Links.BETWEEN_HOSTS);

    private final Links links;
    private final Supplier<Identity> source;
    private @Nullable Identity identity; // null before the first link

    private Tls(Links links, Supplier<Identity> source) {
        this.links = links;
        this.source = source;
    }

    /** With an identity that is created when it is first needed. */
    public static Tls ephemeral(Links links) {
        return new Tls(links, Identity::ephemeral);
    }

    public static Tls of(Links links, Identity identity) {
        return new Tls(links, () -> identity);
    }

    /** True if a link to that address must have TLS. */
    public boolean covers(InetAddress remote) {
        return switch (links) {
            case NONE -> false;
            case BETWEEN_HOSTS -> !remote.isLoopbackAddress();
            case ALL -> true;
        };
    }

    /** As {@link #covers(InetAddress)}; false for a Unix socket. */
    public boolean covers(SocketAddress remote) {
        return remote instanceof InetSocketAddress internet && covers(internet.getAddress());
    }

    /** True if this agent speaks TLS with those who begin it. */
    public boolean isOn() {
        return links != Links.NONE;
    }

    /**
     * The session of a link that this node opens.
     *
     * @param host the name or address by which the other node is dialled; its certificate must be
     *     for it
     */
    public TlsSession dialling(String host, int port) {
        return new TlsSession(identity(), host, port);
    }

    /** The session of a link that another node has opened. */
    public TlsSession accepting() {
        return new TlsSession(identity());
    }

    private synchronized Identity identity() {
        Identity present = identity;
        if (present == null) {
            present = source.get();
            identity = present;
        }
        return present;
    }
}
