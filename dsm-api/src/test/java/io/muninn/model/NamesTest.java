package io.muninn.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Reduction;
import io.muninn.api.spi.VariableSpec;
import java.util.List;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    private static final String GRIN = "\uD83D\uDE00"; // one character, of two halves

    @ParameterizedTest
    @ValueSource(strings = {"a", "gr\u00fc\u00df", GRIN, "\uFFFD?", GRIN + GRIN})
    void unicodeText_isAName(String name) {
        assertEquals(name, new LockId(name).name());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\uD800",
                "\uDC00",
                "n\uD83D",
                "n\uDE00",
                "\uDE00\uD83D",
                "\uD83D" + GRIN,
                GRIN + "\uDE00"
            })
    void textWithAnUnpairedSurrogate_namesNothingOfAnyKind(String name) {
        List<Executable> kinds =
                List.of(
                        () -> new LockId(name),
                        () -> new BarrierId(name),
                        () -> new ConditionId(new LockId("lock"), name),
                        () -> new ObjectId(name),
                        () -> new VariableSpec(name, "int[1]", 0, 4),
                        () -> Reduction.of(name, String.class, String::concat));

        for (Executable kind : kinds) {
            String refusal = assertThrows(IllegalArgumentException.class, kind).getMessage();
            assertTrue(refusal.contains("has an unpaired surrogate, U+D"), refusal);
        }
    }
}
