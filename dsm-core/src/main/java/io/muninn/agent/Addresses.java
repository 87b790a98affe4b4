package io.muninn.agent;

/** The check of an address on the command line. */
final class Addresses {
    private static final String UNIX_PREFIX = "unix:@";
    private static final int PORT_MAX = 65_535;

    private Addresses() {}

    /**
     * @throws IllegalArgumentException if it is neither {@code host:port} nor {@code unix:@name}
     */
    static void check(String address) {
        if (address.startsWith(UNIX_PREFIX) && address.length() > UNIX_PREFIX.length()) {
            return;
        }
        int colon = address.lastIndexOf(':');
        String port = address.substring(colon + 1);
        if (colon > 0
                && port.matches("[0-9]{1,5}")
                && Integer.parseInt(port) >= 1
                && Integer.parseInt(port) <= PORT_MAX) {
            return;
        }
        throw new IllegalArgumentException(
                "address '" + address + "' is neither host:port nor " + UNIX_PREFIX + "name");
    }
}
