package io.muninn.launch.option;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DidYouMeanTest {
    private static final List<String> PROGRAMS = List.of("diff", "mult", "counter", "contend");

    @ParameterizedTest
    @CsvSource({
        "diff, diff, 0",
        "dif, diff, 1",
        "difff, diff, 1",
        "daff, diff, 1",
        "mutl, mult, 1",
        "'', diff, 4",
        "kitten, sitting, 3"
    })
    void distance_countsChangedLetters(String from, String to, int distance) {
        assertEquals(distance, DidYouMean.distance(from, to));
        assertEquals(distance, DidYouMean.distance(to, from));
    }

    @Test
    void slipOfTheFinger_namesTheNearestWord() {
        assertEquals(Optional.of("mult"), DidYouMean.of("mutl", PROGRAMS));
        assertEquals(Optional.of("counter"), DidYouMean.of("conter", PROGRAMS));
    }

    @Test
    void wordUnlikeAny_namesNone() {
        assertEquals(Optional.empty(), DidYouMean.of("fourier", PROGRAMS));
    }
}
