package io.muninn.verify.mutate;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class EquivalentsTest {
    private static final int REASON_MIN = 10;

    @Test
    void everyLine_namesAMutantAndAReason() {
        List<Mutant> all =
                KernelClasses.names().stream().flatMap(name -> Mutator.all(name).stream()).toList();
        Equivalents equivalents = Equivalents.read();

        assertFalse(equivalents.lines().isEmpty());
        for (Equivalents.Line line : equivalents.lines()) {
            assertTrue(all.stream().anyMatch(line::is), "no mutant is " + line);
            assertTrue(line.reason().length() >= REASON_MIN, line.toString());
        }
    }

    @Test
    void whatIsListed_isNotDrawn() {
        Equivalents equivalents = Equivalents.read();

        for (Mutant mutant : new Mutants().draw(1, Integer.MAX_VALUE)) {
            assertFalse(equivalents.has(mutant), mutant.toString());
        }
    }
}
