package io.muninn.transport;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.security.Security;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Names of tests, each with addresses that may change; the system's resolver for all others. */
public final class TestNames extends InetAddressResolverProvider {
    private static final Map<String, Supplier<List<String>>> NAMES = new ConcurrentHashMap<>();

    /**
     * From now on that name has the addresses that the supplier returns at each look-up; none if it
     * is unknown.
     */
    public static void put(String name, Supplier<List<String>> addresses) {
        NAMES.put(name, addresses);
    }

    /**
     * The JVM calls this at its first look-up, in any test, and then reads how long it caches: not
     * at all, as in an agent.
     */
    @Override
    public InetAddressResolver get(Configuration configuration) {
        Security.setProperty("networkaddress.cache.ttl", "0");
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
        InetAddressResolver system = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
                    throws UnknownHostException {
                Supplier<List<String>> known = NAMES.get(host);
                if (known == null) {
                    return system.lookupByName(host, policy);
                }
                List<String> addresses = known.get();
                if (addresses.isEmpty()) {
                    throw new UnknownHostException(host);
                }
                return addresses.stream().map(InetAddress::ofLiteral);
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return system.lookupByAddress(address);
            }
        };
    }

    @Override
    public String name() {
        return "names of tests";
    }
}
