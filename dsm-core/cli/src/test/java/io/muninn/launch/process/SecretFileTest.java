package io.muninn.launch.process;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretFileTest {
    private static final String SECRET = "0123456789abcdef";

    @Test
    void firstLineOfAFile_isTheSecret(@TempDir Path folder) throws IOException {
        Path file = file(folder, SECRET + "\nnot this\n", "rw-------");

        assertArrayEquals(bytes(SECRET), SecretFile.read(file.toString(), nothing()));
    }

    @Test
    void standardInput_isReadToTheEndOfItsFirstLineOnly() throws IOException {
        InputStream in = new ByteArrayInputStream(bytes(SECRET + "\n.."));

        assertArrayEquals(bytes(SECRET), SecretFile.read("-", in));
        assertEquals(2, in.available());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "r--------", "rw-r-----", "r--r-----"})
    void fileThatItsGroupCanReadAtMost_isRead(String permissions, @TempDir Path folder)
            throws IOException {
        Path file = file(folder, SECRET, permissions);

        assertArrayEquals(bytes(SECRET), SecretFile.read(file.toString(), nothing()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r--r--", "r--r--r--", "rw----r--", "rw-rw-rw-"})
    void fileThatEverybodyCanRead_isRefused(String permissions, @TempDir Path folder)
            throws IOException {
        Path file = file(folder, SECRET, permissions);

        String text = refusal(file.toString());

        assertTrue(text.startsWith("everybody can read the secret file " + file), text);
        assertTrue(text.contains("(" + permissions + "): chmod 600 it"), text);
        assertTrue(text.endsWith("defaultMode 0400"), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-rw----", "rw--w----", "rw-----w-"})
    void fileThatOthersCanWrite_isRefused(String permissions, @TempDir Path folder)
            throws IOException {
        Path file = file(folder, SECRET, permissions);

        String text = refusal(file.toString());

        assertTrue(text.startsWith("others than its owner can write the secret file"), text);
        assertTrue(text.endsWith("(" + permissions + "): chmod 600 it"), text);
    }

    /** As Kubernetes mounts a volume: the name is a link, whose own mode has no meaning. */
    @Test
    void linkToAFile_countsAsTheFile(@TempDir Path folder) throws IOException {
        Path link = folder.resolve("link");
        Files.createSymbolicLink(link, file(folder, SECRET, "r--------"));

        assertArrayEquals(bytes(SECRET), SecretFile.read(link.toString(), nothing()));
        Files.setPosixFilePermissions(link, PosixFilePermissions.fromString("r--r--r--"));
        assertTrue(refusal(link.toString()).startsWith("everybody can read"));
    }

    @Test
    void shortSecret_isRefusedAndNotShown(@TempDir Path folder) throws IOException {
        Path file = file(folder, "too short\n", "rw-------");

        String text = refusal(file.toString());

        assertTrue(text.contains("at least 16"), text);
        assertTrue(!text.contains("too short"), text);
    }

    @Test
    void endlessLine_isRefused(@TempDir Path folder) throws IOException {
        Path file = file(folder, "x".repeat(5000), "rw-------");

        assertTrue(refusal(file.toString()).contains("more than 4096"));
    }

    @Test
    void missingFile_isNamed(@TempDir Path folder) {
        Path file = folder.resolve("none");

        assertTrue(refusal(file.toString()).contains(file.toString()));
    }

    @Test
    void randomSecrets_areLongAndDiffer() {
        assertEquals(64, SecretFile.random().length());
        assertNotEquals(SecretFile.random(), SecretFile.random());
    }

    private static String refusal(String name) {
        return assertThrows(IllegalArgumentException.class, () -> SecretFile.read(name, nothing()))
                .getMessage();
    }

    private static Path file(Path folder, String text, String permissions) throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private static InputStream nothing() {
        return InputStream.nullInputStream();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
