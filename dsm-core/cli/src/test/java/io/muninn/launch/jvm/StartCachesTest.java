package io.muninn.launch.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartCachesTest {
    private static final String TAKEN = "-XX:SharedArchiveFile=";

    @TempDir private Path folder;

    @BeforeEach
    void name() {
        System.setProperty(StartCaches.PROPERTY, folder.toString());
    }

    @AfterEach
    void forget() {
        System.clearProperty(StartCaches.PROPERTY);
    }

    @Test
    void cachesThatAreThere_areTaken() throws IOException {
        Path launchers = Files.createFile(folder.resolve(StartCaches.LAUNCHERS));
        Path agents = Files.createFile(folder.resolve(StartCaches.AGENTS));
        Path applications = Files.createFile(folder.resolve(StartCaches.APPLICATIONS));

        List<String> launcher = JvmFlags.command(List.of());
        List<String> agent = JvmFlags.agent(List.of());
        List<String> application = application(List.of("-Xmx1g"));

        assertTrue(launcher.contains(TAKEN + launchers), launcher::toString);
        assertTrue(agent.contains(TAKEN + agents), agent::toString);
        assertTrue(application.contains(TAKEN + applications), application::toString);
    }

    @Test
    void cachesThatAreNotThere_areNotNamed() {
        assertEquals(0, caches(JvmFlags.agent(List.of())));
        assertEquals(0, caches(application(List.of())));
    }

    @Test
    void folder_passesFromLauncherToAgent() {
        assertTrue(JvmFlags.agent(List.of()).contains("-Dmuninn.start=" + folder));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Xshare:off",
                "-XX:AOTCache=mine",
                "-XX:SharedArchiveFile=mine",
                "-XX:+UseZGC",
                "-XX:+UseCompactObjectHeaders"
            })
    void applicationWhoseFlagsExcludeOurs_hasNone(String flag) throws IOException {
        Files.createFile(folder.resolve(StartCaches.APPLICATIONS));

        assertEquals(1, caches(application(List.of())));
        assertEquals(0, caches(application(List.of(flag))));
    }

    private static List<String> application(List<String> flags) {
        return JvmFlags.application(Optional.empty(), flags, List.of(), List.of("x"));
    }

    private long caches(List<String> command) {
        return command.stream().filter(flag -> flag.startsWith(TAKEN + folder)).count();
    }
}
