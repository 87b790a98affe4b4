package io.muninn.transport.net;

import java.nio.charset.StandardCharsets;

/**
 * The address on which a node listens: {@code host:port} for TCP, {@code unix:@name} on a single
 * host.
 */
public sealed interface Address {
    /** Prefix of an abstract Unix socket's address. */
    String UNIX_PREFIX = "unix:@";

    /**
     * A TCP endpoint.
     *
     * @param host name or numeric address; IPv6 without brackets
     * @param port 0 to 65535; 0 lets the system choose one for a listener
     */
    record Tcp(String host, int port) implements Address {
        private static final int PORT_MAX = 65_535;

        public Tcp {
            if (host.isEmpty() || port < 0 || port > PORT_MAX) {
                throw new IllegalArgumentException(
                        "address '" + host + "', port " + port + ": not host:port");
            }
        }

        /**
         * Parses the address of a listener: {@code host} or {@code host:port}.
         *
         * @return the address, with port 0 if the text has none
         * @throws IllegalArgumentException naming the text, if it has neither form
         */
        public static Tcp parse(String text) {
            boolean hasPort =
                    text.startsWith("[")
                            ? !text.endsWith("]")
                            : text.indexOf(':') >= 0 && text.indexOf(':') == text.lastIndexOf(':');
            String whole = hasPort ? text : text + ":0";
            if (Address.parse(whole) instanceof Tcp tcp) {
                return tcp;
            }
            throw new IllegalArgumentException("'" + text + "' is no host to listen on");
        }

        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        }
    }

    /**
     * A Unix socket in Linux's abstract namespace: without a file; it disappears with its process.
     *
     * @param name 1 to {@link #NAME_BYTES_MAX} bytes of UTF-8, without a zero character
     */
    record Unix(String name) implements Address {
        /**
         * Length of the longest name in bytes: a socket address has 108 bytes, of which the first
         * is zero.
         */
        public static final int NAME_BYTES_MAX = 107;

        public Unix {
            int bytes = name.getBytes(StandardCharsets.UTF_8).length;
            if (bytes == 0 || bytes > NAME_BYTES_MAX || name.indexOf('\0') >= 0) {
                throw new IllegalArgumentException(
                        "socket name '"
                                + name
                                + "' has "
                                + bytes
                                + " bytes, not 1.."
                                + NAME_BYTES_MAX);
            }
        }

        @Override
        public String toString() {
            return UNIX_PREFIX + name;
        }
    }

    /**
     * Parses an address in the form of its {@code toString}.
     *
     * @throws IllegalArgumentException naming the text, if it has neither form
     */
    static Address parse(String text) {
        if (text.startsWith(UNIX_PREFIX)) {
            return new Unix(text.substring(UNIX_PREFIX.length()));
        }
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException(
                    "address '" + text + "' is neither host:port nor " + UNIX_PREFIX + "name");
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            return new Tcp(host, Integer.parseInt(text.substring(colon + 1)));
        } catch (NumberFormatException malformed) {
            throw new IllegalArgumentException(
                    "address '" + text + "' does not end in a port number", malformed);
        }
    }
}
