package io.muninn;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The floor of each package, as in {@code docs/ARCHITECTURE.md}. */
final class Floors {
    static final String ROOT = "io.muninn.";

    /** The lowest floor above the purity line. */
    static final int MACHINE_FLOOR = 6;

    /**
     * The package that knows pages, access and faults, but not coherence. It is a wing, not a
     * floor.
     */
    static final String WING = "nativefault";

    private static final Set<String> WING_VISITORS = Set.of("agent", "application", "ipc");

    /**
     * The classes of the wing that the transport may see: the user at a socket's other end, and its
     * exception.
     */
    private static final Set<String> PEERS =
            Set.of(
                    ROOT + WING + ".PeerUser",
                    ROOT + WING + ".NativeCallException"); // its exception

    private static final Set<String> WING_SEES = Set.of("model");

    /** Floors by the first word after the root package; packages below it are included. */
    private static final Map<String, Integer> FLOORS =
            new TreeMap<>(
                    Map.ofEntries(
                            Map.entry("model", 0),
                            Map.entry("api", 1),
                            Map.entry("diff", 1),
                            Map.entry("pool", 1),
                            Map.entry("lasting", 1),
                            Map.entry(WING, 1),
                            Map.entry("wire", 2),
                            Map.entry("directory", 2),
                            Map.entry("spi", 3),
                            Map.entry("waits", 4),
                            Map.entry("link", 4),
                            Map.entry("coherence", 4),
                            Map.entry("sync", 4),
                            Map.entry("kernel", 5),
                            Map.entry("transport", 6),
                            Map.entry("report", 6),
                            Map.entry("ipc", 6),
                            Map.entry("sim", 6),
                            Map.entry("application", 7),
                            Map.entry("agent", 8),
                            Map.entry("doctor", 9),
                            Map.entry("launch", 10),
                            Map.entry("apps", 10),
                            Map.entry("verify", 11),
                            Map.entry("cluster", 11),
                            Map.entry("junit", 11),
                            Map.entry("bench", 11)));

    /** The packages of the machine; a prefix ends in a dot. */
    private static final List<String> MACHINE_PACKAGES =
            List.of(
                    "java.io.",
                    "java.net.",
                    "java.nio.channels.",
                    "java.time.",
                    "java.util.concurrent.",
                    "io.netty.",
                    "com.sun.jna.",
                    "org.slf4j.");

    private static final Set<String> MACHINE_CLASSES =
            Set.of(
                    "java.lang.Thread",
                    "java.util.Random",
                    "java.util.HashMap",
                    "java.util.HashSet");

    private static final Set<String> MACHINE_METHODS =
            Set.of("java.lang.System.nanoTime", "java.lang.System.currentTimeMillis");

    private Floors() {}

    /** The package's name on its floor; empty for packages of other projects. */
    static String name(String packageName) {
        if (!packageName.startsWith(ROOT)) {
            return "";
        }
        String rest = packageName.substring(ROOT.length());
        int dot = rest.indexOf('.');
        return dot < 0 ? rest : rest.substring(0, dot);
    }

    static boolean hasFloor(String name) {
        return FLOORS.containsKey(name);
    }

    static int floor(String name) {
        return FLOORS.get(name);
    }

    /** True if a class of one package may name a class of the other. */
    static boolean maySee(String from, String to) {
        if (from.equals(to)) {
            return true;
        }
        if (to.equals(WING)) {
            return WING_VISITORS.contains(from);
        }
        if (from.equals(WING)) {
            return WING_SEES.contains(to);
        }
        return FLOORS.get(to) < FLOORS.get(from);
    }

    /** True if a class of this package may name this class of the wing, but not the others. */
    static boolean maySeeOfWing(String from, String className) {
        return from.equals("transport") && PEERS.contains(className);
    }

    /**
     * True below the purity line. The API and the link are exempt: they are the application's side,
     * whose threads block, and a single node runs without an agent. The wing is part of the
     * machine.
     */
    static boolean isPure(String name) {
        return floor(name) < MACHINE_FLOOR && !List.of("api", "link", WING).contains(name);
    }

    /** True for classes that no pure package may name. */
    static boolean isMachine(String className) {
        return MACHINE_CLASSES.contains(className)
                || MACHINE_PACKAGES.stream().anyMatch(className::startsWith);
    }

    /**
     * True for methods that no pure package may call.
     *
     * @param method class and method, joined by a dot
     */
    static boolean isMachineMethod(String method) {
        return MACHINE_METHODS.contains(method);
    }
}
