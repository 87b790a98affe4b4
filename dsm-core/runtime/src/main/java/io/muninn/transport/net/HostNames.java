package io.muninn.transport.net;

import io.muninn.transport.loop.AgentEventLoop;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.Security;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Resolves host names for the event loop, which must not wait for name servers. Does not cache:
 * names of a cluster appear while its nodes start, and their addresses change.
 */
public final class HostNames {
    private HostNames() {}

    /**
     * Resolves a host. A numeric address is resolved at once, without a thread.
     *
     * @param onFound receives all addresses of the host, none if it is unknown, on the loop; for a
     *     numeric address it is called before this method returns
     */
    public static void resolve(
            AgentEventLoop loop, String host, Consumer<List<InetAddress>> onFound) {
        List<InetAddress> literal = literal(host);
        if (!literal.isEmpty()) {
            onFound.accept(literal);
            return;
        }
        Thread.ofPlatform()
                .daemon()
                .name("muninn-names")
                .start(() -> answer(loop, NameService.addresses(host), onFound));
    }

    private static List<InetAddress> literal(String host) {
        try {
            return List.of(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException name) {
            return List.of();
        }
    }

    private static void answer(
            AgentEventLoop loop, List<InetAddress> found, Consumer<List<InetAddress>> onFound) {
        try {
            loop.execute(() -> onFound.accept(found));
        } catch (RejectedExecutionException closed) {
            return; // the loop is closed
        }
    }

    /**
     * The JDK's resolver. Its cache is disabled before the first use; numeric addresses need
     * neither.
     */
    private static final class NameService {
        static {
            Security.setProperty("networkaddress.cache.ttl", "0");
            Security.setProperty("networkaddress.cache.negative.ttl", "0");
        }

        static List<InetAddress> addresses(String host) {
            try {
                return List.of(InetAddress.getAllByName(host));
            } catch (UnknownHostException unknown) {
                return List.of();
            }
        }
    }
}
