package io.muninn.apps.tsp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Dsm;
import io.muninn.api.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstanceFileTest {
    @TempDir private Path folder;

    private Path file(String text) throws IOException {
        Path file = folder.resolve("cities.txt");
        Files.writeString(file, text);
        return file;
    }

    @Test
    void goodFile_isRead() throws IOException {
        Path file = file("# three cities\n\n 3 # so many\n0 7\t4\n7 0  5\n4 5 0\n\n# end");

        TspInstance instance = InstanceFile.read(file);

        assertEquals(3, instance.cities());
        assertArrayEquals(new int[] {0, 7, 4, 7, 0, 5, 4, 5, 0}, instance.distances());
    }

    @Test
    void program_solvesTheInstanceOfAFile() throws IOException {
        String name = file("4\n0 1 5 1\n1 0 1 5\n5 1 0 1\n1 5 1 0\n").toString();
        for (String version : TspOptions.VERSIONS) {
            Verdict verdict =
                    Dsm.run(new TspC().create(List.of("--instance", name, "--version", version)));

            assertTrue(verdict.right());
            assertEquals("tour of 4 cities is 4 long, and none is shorter", verdict.detail());
        }
    }

    /** Lines are divided by semicolons. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | 0 | the number of cities, 1 to 20, not 'the end of the file'",
                "#;;| 2 | the number of cities, 1 to 20, not 'the end of the file'",
                "0 | 1 | the number of cities, 1 to 20, not '0'",
                "21 | 1 | the number of cities, 1 to 20, not '21'",
                "two | 1 | the number of cities, 1 to 20, not 'two'",
                "2 2 | 1 | the number of cities, 1 to 20, not '2 2'",
                "2;0 1 | 2 | row 1: 2 distances, not 'the end of the file'",
                "2;0 1;;1 | 4 | row 1: 2 distances, not '1 words'",
                "2;0 1;1 0 3 | 3 | row 1: 2 distances, not '3 words'",
                "2;0 -1;-1 0 | 2 | row 0: distances from 0 to 1000000, not '-1'",
                "2;0 1e3;1 0 | 2 | row 0: distances from 0 to 1000000, not '1e3'",
                "2;0 1000001;1 0 | 2 | row 0: distances from 0 to 1000000, not '1000001'",
                "2;0 1;1 3 | 3 | distance 0 from city 1 to itself, not '3'",
                "2;0 1;2 0 | 3 | distance 1 from city 1 to city 0, as in the other direction, not '2'",
                "1;0;5 | 3 | the end of the file after 1 rows, not '5'"
            })
    void malformedFile_isRefusedWithFileAndLine(String lines, int line, String expected)
            throws IOException {
        Path file = file(lines.replace(';', '\n'));

        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> new TspF().create(List.of("--instance", file.toString())));

        assertEquals(
                "instance " + file + ", line " + line + ": expected " + expected,
                refused.getMessage());
    }

    @Test
    void fileThatCannotBeRead_isRefusedByName() throws IOException {
        Path absent = folder.resolve("absent");
        Path binary = folder.resolve("binary");
        Files.write(binary, new byte[] {(byte) 0xff, (byte) 0xfe});

        assertRefused("instance " + absent + " does not exist", absent);
        assertRefused("instance " + folder + " cannot be read as text: ", folder);
        assertRefused("instance " + binary + " cannot be read as text: ", binary);
    }

    private static void assertRefused(String because, Path file) {
        String text =
                assertThrows(IllegalArgumentException.class, () -> InstanceFile.read(file))
                        .getMessage();
        assertTrue(text.startsWith(because), text);
    }

    @Test
    void instanceBesidesASeed_isRefused() {
        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> new TspC().create(List.of("--instance", "x", "--seed", "1")));

        assertEquals("option --instance comes without --cities and --seed", refused.getMessage());
    }
}
