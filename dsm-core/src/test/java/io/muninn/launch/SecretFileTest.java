package io.muninn.launch;

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

    @Test
    void fileThatEverybodyCanRead_isRefused(@TempDir Path folder) throws IOException {
        Path file = file(folder, SECRET, "rw-r--r--");

        assertTrue(refusal(file.toString()).contains("everybody can read"));
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
