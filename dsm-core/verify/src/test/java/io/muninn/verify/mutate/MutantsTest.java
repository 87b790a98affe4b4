package io.muninn.verify.mutate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.verify.mutate.Mutant.Kind;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MutantsTest {
    private static final Mutants MUTANTS = new Mutants();
    private static final List<Mutant> ALL = MUTANTS.draw(1, Integer.MAX_VALUE);
    private static final long LONG_NANOS = 60_000_000_000L;

    @Test
    void equalSeeds_drawEqualMutants() {
        assertEquals(MUTANTS.draw(5, 50), MUTANTS.draw(5, 50));
        assertNotEquals(MUTANTS.draw(5, 50), MUTANTS.draw(6, 50));
    }

    @Test
    void everyMutant_isDrawnOnce() {
        assertEquals(MUTANTS.count(), ALL.size());
        assertEquals(ALL.size(), new HashSet<>(ALL).size());
    }

    @Test
    void mutantsOfSomeClasses_areInThem() {
        Mutants some = new Mutants(List.of("RemoteHome"));

        assertTrue(some.count() > 10, some.count() + " mutants");
        for (Mutant mutant : some.draw(1, Integer.MAX_VALUE)) {
            assertTrue(mutant.className().contains("sync.RemoteHome"), mutant.toString());
        }
        assertThrows(IllegalArgumentException.class, () -> new Mutants(List.of("RemoteHomestead")));
    }

    @Test
    void everyKind_hasManyPlaces() {
        Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
        ALL.forEach(mutant -> counts.merge(mutant.kind(), 1, Integer::sum));

        for (Kind kind : Kind.values()) {
            assertTrue(counts.getOrDefault(kind, 0) > 50, counts.toString());
        }
    }

    @Test
    void whatNoRunCanShow_isLeftOut() {
        for (Mutant mutant : ALL) {
            assertFalse(mutant.method().endsWith("Ljava/lang/String;"), mutant.toString());
            assertFalse(mutant.method().startsWith("hashCode"), mutant.toString());
            assertFalse(mutant.detail().endsWith("Effects.count"), mutant.toString());
            assertFalse(mutant.detail().contains("ProtocolViolation"), mutant.toString());
            assertFalse(mutant.className().contains("PageStatistics"), mutant.toString());
        }
    }

    /** One copy of the classes has all mutants, of which one is active at a time. */
    @Test
    void aMutant_isKilledByACheckerAndTheKernelSurvives() {
        List<Mutant> some =
                ALL.stream()
                        .filter(mutant ->
                                mutant.kind() == Kind.REMOVED_CALL
                                        && mutant.place()
                                                .startsWith("sync.ProgramMessages.onLetter:"))
                        .toList();
        Mutants.Copy copy = MUTANTS.new Copy(some);

        assertEquals("", copy.killer(Active.NONE, new int[1], 1));
        assertFalse(some.isEmpty());
        for (int i = 0; i < some.size(); i++) {
            String killer = copy.killer(i, new int[1], LONG_NANOS);
            assertTrue(killer.matches("[a-z ×]+, part \\d+"), some.get(i) + " by " + killer);
        }
        assertEquals("", copy.killer(Active.NONE, new int[1], 1));
    }

    /** Fuel and a limit of steps end mutants that would run for ever. */
    @Tag("slow")
    @Test
    void aMutantWithoutAnEnd_isKilled() {
        List<Mutant> endless =
                ALL.stream()
                        .filter(mutant ->
                                mutant.detail().endsWith("ArrayDeque.remove")
                                        || mutant.place().startsWith("node.NodeKernel.settle:")
                                                && mutant.kind() == Kind.NEGATED_CONDITION)
                        .limit(1)
                        .toList();

        assertFalse(endless.isEmpty());
        assertFalse(MUTANTS.new Copy(endless).killer(0, new int[1], LONG_NANOS).isEmpty());
    }
}
