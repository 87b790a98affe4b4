package io.muninn.verify.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.pool.PoolRules;
import io.muninn.verify.pool.PoolProgram.Part;
import io.muninn.verify.pool.PoolProgram.Section;
import io.muninn.verify.pool.PoolProgram.Variable;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PoolModelTest {
    private static final PoolRules RULES = new PoolRules(false, 1, 1);
    private static final int FAST = 5; // programs that take less than a second each

    @Test
    void smallPrograms_haveNoViolation() {
        PoolProgram.ALL.stream().limit(FAST).forEach(program -> new PoolModel(program).search());
    }

    @Tag("slow")
    @Test
    void allPrograms_haveNoViolation() {
        PoolProgram.ALL.stream().skip(FAST).forEach(program -> new PoolModel(program).search());
    }

    /** A single node has one order of its steps. */
    @Test
    void oneNode_hasAStateForEachStep() {
        PoolProgram program =
                new PoolProgram(
                        "alone",
                        1,
                        List.of(new Variable(0, 0, 0)),
                        List.of(Part.of(1, Section.stores(0))),
                        RULES);

        // before and behind: the list, the frame's word, the writer, its mappers
        assertEquals(5, new PoolModel(program).search());
    }

    /** A copy made between an announced store and its write-back has no notice. */
    @Test
    void immediateTransitionsWithoutLists_areAViolation() {
        PoolProgram program =
                new PoolProgram(
                        "unlisted",
                        1,
                        List.of(new Variable(0, 0, 0), new Variable(0, 1, 1)),
                        List.of(
                                Part.of(1, Section.stores(0)),
                                Part.of(2, Section.loads(1), Section.loads(0))),
                        RULES,
                        PoolProgram.NO_HOME,
                        true);

        PoolViolation violation =
                assertThrows(PoolViolation.class, () -> new PoolModel(program).search());

        assertTrue(violation.getMessage().contains("node 1"), violation.getMessage());
    }

    /** A word with two locks: stores of one node are lost. */
    @Test
    void wordOfTwoLocks_isAViolationWithItsSteps() {
        PoolProgram program =
                new PoolProgram(
                        "race",
                        1,
                        List.of(new Variable(0, 0, 0), new Variable(0, 0, 1)),
                        List.of(Part.of(1, Section.stores(0)), Part.of(1, Section.stores(1))),
                        RULES);

        PoolViolation violation =
                assertThrows(PoolViolation.class, () -> new PoolModel(program).search());

        assertTrue(violation.getMessage().contains("steps of nodes ["), violation.getMessage());
    }
}
