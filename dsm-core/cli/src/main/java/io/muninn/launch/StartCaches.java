package io.muninn.launch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The ahead-of-time caches from which JVMs of a run start: loaded and linked classes, so that a
 * process of ours starts in little more than the time of an empty one. One is for launchers, one
 * for agents, one for applications: a JVM takes in all that its cache has, needed or not. {@link
 * StartTraining} makes them.
 *
 * <p>A cache is an offer. The JVM takes it only if it is of this JDK, these jars and flags that
 * fit; without it, or if it does not fit, everything runs as well and starts later.
 */
final class StartCaches {
    /** System property with the folder, which passes from parent to child. */
    static final String PROPERTY = "muninn.start";

    static final String LAUNCHERS = "launchers.aot";
    static final String AGENTS = "agents.aot";
    static final String APPLICATIONS = "applications.aot";

    /** The JVM's own options that do not go together with a cache. */
    private static final List<String> EXCLUSIVE =
            List.of(
                    "-Xshare",
                    "-XX:AOT",
                    "-XX:SharedArchiveFile",
                    "-XX:SharedClassListFile",
                    "-XX:ArchiveClassesAtExit",
                    "-XX:+AutoCreateSharedArchive",
                    "-XX:DumpLoadedClassList",
                    "-XX:+UseZGC",
                    "-XX:-UseCompressedOops",
                    "-XX:+UseCompactObjectHeaders");

    private StartCaches() {}

    /** From now on JVMs are started without. */
    static void leaveOut() {
        System.clearProperty(PROPERTY);
    }

    /**
     * Flags of a JVM that runs our own classes only.
     *
     * @param cache {@link #LAUNCHERS} or {@link #AGENTS}
     */
    static List<String> flagsOfOurs(String cache) {
        List<String> flags = new ArrayList<>(inherited());
        flags.addAll(taking(cache));
        return flags;
    }

    /**
     * Flags of an application's JVM.
     *
     * @param others all its other flags
     */
    static List<String> applicationFlags(List<String> others) {
        boolean fits =
                others.stream().noneMatch(flag -> EXCLUSIVE.stream().anyMatch(flag::startsWith));
        return fits ? taking(APPLICATIONS) : List.of();
    }

    private static List<String> inherited() {
        return folder().map(folder -> List.of("-D" + PROPERTY + "=" + folder)).orElse(List.of());
    }

    private static List<String> taking(String name) {
        return folder().map(folder -> Path.of(folder, name))
                .filter(Files::isReadable)
                .map(StartCaches::flags)
                .orElse(List.of());
    }

    /**
     * A cache that does not fit is no news to anybody. It is taken as an archive of classes, which
     * it is: as an {@code AOTCache} it would start a thread that looks, for each class that is
     * initialized, for profiles, which ours has none of.
     */
    private static List<String> flags(Path cache) {
        return List.of("-XX:SharedArchiveFile=" + cache, "-Xlog:aot=off", "-Xlog:cds=off");
    }

    private static Optional<String> folder() {
        return Optional.ofNullable(System.getProperty(PROPERTY));
    }
}
