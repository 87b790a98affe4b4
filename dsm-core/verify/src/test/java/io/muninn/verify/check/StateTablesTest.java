package io.muninn.verify.check;

import static io.muninn.verify.check.Runs.LOCK;
import static io.muninn.verify.check.Runs.PAGE;
import static io.muninn.verify.check.Runs.assertSays;
import static java.util.Collections.disjoint;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.coherence.invalidate.Conventional;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolTraits;
import io.muninn.verify.program.SeededRun;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The state × event tables: their completeness, their parser, and their checker. */
class StateTablesTest {
    private static final List<Long> DECLARATION_SEEDS = List.of(5L, 130L);
    private static final int HOMES_FIRST = 7; // the first trial of pages with homes

    static Stream<StateTable> tables() {
        return StateTables.ALL.stream();
    }

    // the tables of the sources

    @Test
    void everyProtocol_hasATable() {
        for (ProtocolKind kind : ProtocolKind.values()) {
            assertTrue(StateTables.ALL.contains(StateTables.of(kind)), kind.name());
        }
    }

    @ParameterizedTest
    @MethodSource("tables")
    void tableOfDifferences_repeatsNoCellOfTheOther(StateTable table) {
        Set<String> others = table.other().map(StateTablesTest::cells).orElse(Set.of());

        table.parts().forEach(part -> assertTrue(disjoint(cells(part), others), part.text()));
    }

    private static Set<String> cells(StateTable table) {
        return IntStream.range(0, table.size())
                .mapToObj(table::describe)
                .collect(Collectors.toSet());
    }

    /** The states that a protocol declares are the rows of its table, in the same order. */
    @ParameterizedTest
    @EnumSource(ProtocolKind.class)
    void everyStateOfAProtocol_isARowOfItsTable(ProtocolKind kind) {
        StateTable table = StateTables.of(kind);
        List<String> states =
                kind.traits().states().stream().map(ProtocolTraits.State::name).toList();
        int columns = table.cell(states.get(1), 0);

        for (int i = 0; i < states.size(); i++) {
            assertEquals(i * columns, table.cell(states.get(i), 0), states.get(i));
        }
        assertEquals(states.size() * columns, table.size());
    }

    // reading

    private static final StateTable SMALL =
            StateTable.parse(
                    "Small",
                    """
                              go there     Come (2)
                    Here      go, →There   impossible
                    Far away  –            wait, then
                                           come

                              Halt
                    Here      halt (1)
                    Gone (1)  ignore

                    (1) with
                        a reason
                    (2) on foot
                    """,
                    StateTablesTest::noOther);

    private static StateTable noOther(String name) {
        throw new IllegalArgumentException(name);
    }

    private static String says(String state, String event) {
        return SMALL.says(state, event);
    }

    @Test
    void cells_areFoundByStateAndEvent() {
        assertEquals("go, →There", says("Here", "go there"));
        assertEquals("impossible", says("Here", "Come"));
        assertEquals("wait, then come", says("Far away", "Come"));
        assertEquals("halt (1)", says("Here", "Halt"));
        assertEquals("ignore", says("Gone", "Halt"));
    }

    @Test
    void whatIsNotInTheTable_isNotHandled() {
        assertEquals("", says("Gone", "Come"));
        assertEquals("", says("Far away", "Halt"));
        assertTrue(SMALL.column("Sit") < 0);
        assertTrue(SMALL.cell("Nowhere", 0) < 0);
        assertFalse(SMALL.isHandled(SMALL.cell("Gone", SMALL.column("Halt"))));
        assertTrue(SMALL.isPossible(SMALL.cell("Gone", SMALL.column("Halt"))));
        assertTrue(SMALL.isHandled(SMALL.cell("Here", SMALL.column("Halt"))));
        assertFalse(SMALL.isHandled(SMALL.cell("Here", SMALL.column("Come"))));
        assertFalse(SMALL.isHandled(SMALL.cell("Far away", SMALL.column("go there"))));
        assertFalse(SMALL.isHandled(SMALL.cell("Gone", SMALL.column("Come"))));
    }

    @Test
    void notes_followTheTable() {
        assertEquals("(1) with\n    a reason\n(2) on foot\n", SMALL.notes());
        assertTrue(SMALL.text().endsWith("ignore\n\n"), SMALL.text());
    }

    @Test
    void tableOfDifferences_isCompletedByTheOther() {
        StateTable like =
                StateTable.parse(
                        "Like",
                        """
                        As Small, but:

                                  Halt
                        Here      halt later (1)

                                  Sit
                        Here      sit
                        Gone      impossible

                        (1) with another
                        """,
                        name -> name.equals("Small") ? SMALL : noOther(name));

        assertEquals("go, →There", like.says("Here", "go there"));
        assertEquals("halt later (1)", like.says("Here", "Halt"));
        assertEquals("ignore", like.says("Gone", "Halt"));
        assertEquals("sit", like.says("Here", "Sit"));
        assertEquals("", like.says("Far away", "Sit"));
        assertEquals(List.of("go there", "Come (2)", "Halt", "Sit"), like.columnHeadings());
        assertEquals(SMALL.rowHeadings(), like.rowHeadings());
        assertEquals("(1) with another\n", like.notes());
        assertEquals(2, like.parts().size());
    }

    // the checker

    @Test
    void impossibleEvents_areFound() {
        try (Arena arena = Arena.ofConfined()) {
            Simulation still =
                    Runs.still(arena, Runs.region(Protocol.CONVENTIONAL, 8), 1, List.of());
            ClusterView overview = new ClusterView();
            TableChecker checker = new TableChecker(overview, new Coverage());
            overview.onStart(still);
            checker.onStart(still);

            Event ack =
                    new Event.MessageArrived(
                            NodeId.of(1), new Conventional.InvalidateAck(PAGE, 3), 0);
            Violation page =
                    assertThrows(
                            Violation.class,
                            () -> checker.beforeStep(still.nodes().getFirst(), ack));
            Violation lock =
                    assertThrows(
                            Violation.class,
                            () ->
                                    checker.beforeStep(
                                            still.nodes().get(1),
                                            new Event.ReleaseCalled(MappingId.FIRST, LOCK)));

            assertEquals(TableChecker.NAME, page.checker());
            assertSays(page, "InvalidateAck in state Exclusive");
            assertSays(page, "variable 'shared'");
            assertSays(lock, "ReleaseCalled in state Away");
        }
    }

    /** A collection ends an interval in the step in which a home's withdrawal ends. */
    @Test
    void releaseInTheStepThatEndsAWithdrawal_isOfTheStateAfterIt() {
        SeededRun.all(2001, SeededRun.Options.ALL)
                .get(HOMES_FIRST)
                .run(Checkers.all(new Coverage()));
    }

    /** The cells are ignored, so a search does not say whether it has met them. */
    @Test
    void declarationsOfSiblings_meetAnObjectInEveryState() {
        Coverage coverage = new Coverage();
        for (long seed : DECLARATION_SEEDS) {
            SeededRun.ofCorpus(seed, SeededRun.Options.ALL, "siblings-declare-objects")
                    .forEach(trial -> trial.run(Checkers.all(coverage)));
        }

        for (String state : List.of("Elsewhere", "Idle", "Acquiring", "Due", "Serving")) {
            assertTrue(
                    coverage.hits(StateTables.OBJECTS, state, "ObjectDeclared") > 0,
                    () -> "never in state " + state);
        }
    }

    @Test
    void cellsThatWereHit_areCountedOverRuns() {
        Coverage coverage = new Coverage();
        List<String> handled = coverage.neverHit();

        for (Protocol protocol : Protocol.values()) {
            Coverage own = new Coverage();
            Runs.run(protocol, Checkers.all(own));
            coverage.add(own);
        }

        List<String> never = coverage.neverHit();
        assertEquals(coverage.handled(), handled.size());
        assertTrue(handled.size() > 100, handled.size() + " cells");
        assertTrue(never.size() < handled.size() - 40, never.size() + " cells never hit");
        assertTrue(handled.contains("Migratory: Present × fault: resume"), handled.toString());
        String asked = "Migratory: Absent × fault: ask, →Awaiting";
        assertTrue(handled.contains(asked) && !never.contains(asked), never.toString());
        String failed = "ReadOnly: Absent × write fault: fail run";
        assertTrue(never.contains(failed), never.toString());
        assertTrue(coverage.toText().contains("           0  " + failed), coverage.toText());
    }
}
