package io.muninn.transport.join;

import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.net.Address;
import io.muninn.transport.net.HostNames;
import io.muninn.transport.net.HostNodes;
import io.muninn.transport.net.Sockets;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listening socket of this node. Its address depends on the root's:
 *
 * <pre>
 *  the root's address   root                          other nodes
 *  unix:@name           there                         that name, then id and random digits
 *  host:port            as configured, else there     as configured, else on the address from which
 *                                                     they have reached the root; any port
 * </pre>
 *
 * <p>So nodes of a root on loopback listen on loopback. Any other node without a configured address
 * listens only when it has reached the root, and again if it has reached it from another address. A
 * node of the root's agent listens on the root's address, on any port.
 *
 * <p><b>Threads.</b> The event loop.
 */
final class Doorway {
    private static final Logger LOG = LoggerFactory.getLogger(Doorway.class);
    private static final long RETRY_NAME_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final AgentEventLoop loop;
    private final ClusterConfig config;
    private final Consumer<String> refused;
    private final Function<Channel, ChannelHandler> accept;
    private final Consumer<String> failed;
    private @Nullable Channel listener; // null while it does not listen
    private @Nullable Address bound; // null before it listens
    private String unknownHost = "";
    private boolean closed;

    /**
     * @param refused receives the reason for each refused connection of another user of this host
     * @param accept creates the handler of an accepted channel
     * @param failed receives the reason why this node cannot listen
     */
    Doorway(
            AgentEventLoop loop,
            ClusterConfig config,
            Consumer<String> refused,
            Function<Channel, ChannelHandler> accept,
            Consumer<String> failed) {
        this.loop = loop;
        this.config = config;
        this.refused = refused;
        this.accept = accept;
        this.failed = failed;
    }

    /**
     * Listens, if this node's address is known before it has reached another node.
     *
     * @param whenOpen called when it listens, or at once if the address is not known yet
     */
    void open(Runnable whenOpen) {
        boolean isRoot = config.self().isRoot();
        switch (config.root()) {
            case Address.Unix root ->
                    listen(isRoot ? root : HostNodes.addressOf(config.self(), root), whenOpen);
            case Address.Tcp root when config.listen().isPresent() -> {
                Address.Tcp told = config.listen().get();
                boolean portOfRoot = isRoot && told.port() == 0;
                open(
                        new Address.Tcp(told.host(), portOfRoot ? root.port() : told.port()),
                        whenOpen);
            }
            case Address.Tcp root when isRoot -> open(root, whenOpen);
            case Address.Tcp _ -> whenOpen.run();
        }
    }

    /**
     * Listens beside the root, which the same agent serves, unless this node listens already.
     *
     * @param whenOpen called when it listens; not called if it cannot
     */
    void openBeside(Address root, Runnable whenOpen) {
        if (bound == null && root instanceof Address.Tcp(String host, int _)) {
            open(new Address.Tcp(host, 0), whenOpen);
        } else {
            whenOpen.run();
        }
    }

    private void open(Address.Tcp wanted, Runnable whenOpen) {
        HostNames.resolve(
                loop,
                wanted.host(),
                found -> {
                    if (found.isEmpty() && !closed) {
                        unknownHost = wanted.host();
                        loop.schedule(RETRY_NAME_NANOS, () -> open(wanted, whenOpen));
                    } else if (!closed) {
                        unknownHost = "";
                        listenOnFirst(found, wanted.port(), whenOpen);
                    }
                });
    }

    /** Listens on the first host that is an address of this machine; a name may have others. */
    private void listenOnFirst(List<InetAddress> hosts, int port, Runnable whenOpen) {
        Address first = new Address.Tcp(hosts.getFirst().getHostAddress(), port);
        List<InetAddress> rest = hosts.subList(1, hosts.size());
        listen(
                first,
                whenOpen,
                cause -> {
                    if (rest.isEmpty()) {
                        fail(first, cause);
                    } else {
                        listenOnFirst(rest, port, whenOpen);
                    }
                });
    }

    private void listen(Address address, Runnable whenOpen) {
        listen(address, whenOpen, cause -> fail(address, cause));
    }

    private void fail(Address address, Throwable cause) {
        String where =
                config.listen().isPresent() || address instanceof Address.Unix
                        ? ""
                        : "; --listen says on which address of its machine a node listens";
        failed.accept(
                String.format(
                        Locale.ROOT,
                        "node %s cannot listen on %s: %s%s",
                        config.self(),
                        address,
                        cause.getMessage(),
                        where));
    }

    private void listen(Address address, Runnable whenOpen, Consumer<Throwable> onFailure) {
        ChannelFuture binding = Sockets.listen(loop.group(), address, refused, accept);
        binding.addListener(_ ->
                loop.run(() -> {
                    if (!binding.isSuccess()) {
                        onFailure.accept(binding.cause());
                    } else if (closed) {
                        binding.channel().close();
                    } else {
                        onBound(binding.channel(), address);
                        whenOpen.run();
                    }
                }));
    }

    private void onBound(Channel channel, Address address) {
        if (listener != null) {
            listener.close();
        }
        listener = channel;
        bound = Sockets.bound(channel, address);
        LOG.info("node={} event=listening address={}", config.self(), bound);
    }

    /**
     * Determines the address at which other nodes reach this node.
     *
     * @param reached a channel to one of them
     * @param then called when this node listens; not called if it cannot
     */
    void announce(Channel reached, Consumer<Address> then) {
        InetAddress local =
                reached.localAddress() instanceof InetSocketAddress internet
                        ? internet.getAddress()
                        : null;
        if (local == null || config.listen().isPresent()) {
            then.accept(seenFrom(local));
        } else if (bound instanceof Address.Tcp(String host, int _)
                && host.equals(local.getHostAddress())) {
            then.accept(bound);
        } else {
            listen(new Address.Tcp(local.getHostAddress(), 0), () -> then.accept(address()));
        }
    }

    /** Replaces the wildcard address by the local address in use. */
    private Address seenFrom(@Nullable InetAddress local) {
        return local != null
                        && address() instanceof Address.Tcp(String host, int port)
                        && InetAddress.ofLiteral(host).isAnyLocalAddress()
                ? new Address.Tcp(local.getHostAddress(), port)
                : address();
    }

    /** The address on which it listens. */
    Address address() {
        Address present = bound;
        if (present == null) {
            throw new IllegalStateException("node " + config.self() + " does not listen");
        }
        return present;
    }

    /** The host name that is being resolved; empty if there is none. */
    String unknownHost() {
        return unknownHost;
    }

    void close() {
        closed = true;
        if (listener != null) {
            listener.close();
            listener = null;
        }
    }
}
