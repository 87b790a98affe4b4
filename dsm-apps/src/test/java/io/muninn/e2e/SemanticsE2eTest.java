package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Small programs that check what the documentation promises, and end with a verdict. Under other
 * protocols than those they are annotated with they are tagged slow, as are those that other tests
 * run on every engine or in the simulator.
 */
@Tag("e2e")
class SemanticsE2eTest {
    @ParameterizedTest
    @CsvSource({
        "-n 2, PolledData, 375 flags came with their data",
        "-n 2 --threads 2, BoundedBuffer, 120 items were taken",
        "-n 3, EndedConditionWaits, conditions hold",
        "-n 2, FileTransfers, 6 turns",
        "-n 2 --threads 2, Groups, groups have done their work",
        "-n 2 --protocol lazy, Advises, 40 sections",
        "-n 4, ReadMostly, readers saw whole tables"
    })
    void promise_isKept(String options, String program, String detail) throws InterruptedException {
        DsmRun.run(DsmRun.programLine(options + " --no-table", program))
                .assertStatus(0)
                .assertOut("verified: " + detail);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "-n 2, PolledFlag, 40 stores were seen",
        "-n 2 --threads 2, Shapes, shapes are whole",
        "-n 2 --processes 2, Groups, groups have done their work",
        "-n 2 --threads 2, Allocates, 24 allocations",
        "-n 2, LockedStores, 150 rounds",
        "-n 3 --threads 2, MessageChain, 40 laps",
        "-n 3 --threads 2, BoundedBuffer, 180 items were taken",
        "-n 3, LockChain, 30 laps",
        "-n 3 --threads 2, Straddle, everyone got through",
        "-n 3 --threads 2, Neighbours, 25 rounds",
        "-n 2 --threads 2, LongMessages, messages are whole",
        "-n 2 --adaptive-twins off, LockedStores, 150 rounds",
        "-n 3 --threads 2 --protocol conventional, LockedStores, 150 rounds",
        "-n 3 --protocol migratory, LockChain, 30 laps",
        "-n 3 --protocol conventional, LockChain, 30 laps",
        "-n 3 --protocol conventional, MessageChain, 40 laps",
        "-n 3 --protocol migratory, Straddle, everyone got through",
        "-n 2 --protocol conventional, Neighbours, 25 rounds",
        "-n 3 --threads 2 --protocol lazy, Neighbours, 25 rounds",
        "-n 3 --threads 2 --protocol home-based, Neighbours, 25 rounds",
        "-n 3 --threads 2 --protocol weak, Neighbours, 25 rounds",
        "-n 3 --threads 2 --protocol weak --weak-notices publish, LockedStores, 150 rounds",
        "-n 3 --protocol weak --weak-lists centralized, LockChain, 30 laps",
        "-n 3 --protocol weak --weak-transition immediate, MessageChain, 40 laps",
        "-n 3 --threads 2 --protocol weak --weak-unsafe-after 0, ReadMostly,"
                + " readers saw whole tables",
        "-n 3 --threads 2 --protocol pipelined, LockedStores, 150 rounds",
        "-n 3 --protocol pipelined, LockChain, 30 laps",
        "-n 3 --protocol pipelined, MessageChain, 40 laps",
        "-n 3 --protocol pipelined, Straddle, everyone got through",
        "-n 4 --threads 3 --gc ZGC, Neighbours, 25 rounds",
        "-n 4, ParallelLoops, 5 schedules",
        "-n 2 --threads 3 --protocol lazy, ParallelLoops, 5 schedules",
        "-n 3 --protocol home-based, ParallelLoops, 5 schedules",
        "-n 3 --protocol conventional, ParallelLoops, 5 schedules",
        "-n 2 --threads 2, Advises, 80 sections",
        "-n 3 --protocol home-based, Advises, 60 sections",
        "-n 3 --protocol write-shared, Advises, 60 sections",
        "-n 4 --threads 3, Reduces, 60 rounds of reductions",
        "-n 3 --threads 2 --protocol lazy, Reduces, 60 rounds of reductions",
        "-n 3 --threads 2 --protocol home-based, Reduces, 60 rounds of reductions",
        "-n 3 --protocol conventional, Reduces, 60 rounds of reductions",
        "-n 4 --threads 2 --protocol lazy, ReadMostly, readers saw whole tables",
        "-n 3 --threads 2 --protocol hybrid, ReadMostly, readers saw whole tables",
        "-n 3 --protocol home-based, ReadMostly, readers saw whole tables",
        "-n 2 --threads 2 --protocol conventional, ReadMostly, readers saw whole tables",
        "-n 3 --protocol migratory, ReadMostly, readers saw whole tables",
        "-n 3 --protocol pipelined, ReadMostly, readers saw whole tables"
    })
    void promise_isKeptByOtherProtocols(String options, String program, String detail)
            throws InterruptedException {
        promise_isKept(options, program, detail);
    }

    @Tag("slow")
    @Test
    void tenThousandVariables_areAllocated() throws InterruptedException {
        promise_isKept("-n 2", "Allocates 5000", "10000 allocations");
    }

    /** Half of its allocations are write-shared, unless a protocol is given. */
    @Test
    void protocolOfTheRun_holdsForAllocationsToo() throws InterruptedException {
        JsonObject report =
                DsmRun.report(
                        DsmRun.QUICK + "-n 2 --threads 2 --no-table --protocol conventional",
                        DsmRun.program("Allocates"));

        assertEquals("24 allocations", report.get("detail").getAsString());
        JsonObject totals = report.getAsJsonObject("totals");
        assertEquals(0, totals.get("diffsMade").getAsLong(), totals::toString);
        assertTrue(totals.get("pagesFetched").getAsLong() > 0, totals::toString);
    }

    @Test
    void allocationsThatCannotBeHad_sayWhyAndLeaveTheRunAsItWas() throws InterruptedException {
        DsmRun.run(DsmRun.programLine("-n 2 --no-table --memory 16m", "WrongAllocations"))
                .assertOut("refused: variable 'early' is allocated during initialization")
                .assertOut("refused: variable 'large' of 134217728 bytes does not fit")
                .assertOut("refused: two regions are named words")
                .assertOut("refused: nodes allocate differently: node ")
                .assertOut("variable 'of node 1', long[1] WRITE_SHARED")
                .assertStatus(0);
    }

    @Test
    void reductions_areRightToTheLastBitAndDifferingOnesAreTold() throws InterruptedException {
        DsmRun.Result result =
                DsmRun.run(DsmRun.programLine("-n 2 --threads 2 --no-table", "Reduces"))
                        .assertStatus(0)
                        .assertOut("verified: 60 rounds of reductions")
                        .assertOut("again: 4");
        for (int node = 0; node < 2; node++) {
            result.assertOut("broken on node " + node + ": barrier 'wrong': node ");
        }
        result.assertOut("contribution to 'min of int'").assertOut("contribution to 'max of int'");
    }

    @Tag("slow")
    @Test
    void parallelLoops_giveWhatTheSequentialProgramGives() throws InterruptedException {
        DsmRun.run(DsmRun.programLine("-n 2 --threads 2 --no-table", "ParallelLoops"))
                .assertStatus(0)
                .assertOut("verified: 5 schedules")
                .assertOut("caught: loop 'fails' failed at index 2999, on node 1, thread 1: ")
                .assertOut("refused: the body of loop 'meets' cannot take part in barrier")
                .assertOut("released: the body of loop 'locks' ends on node ");
    }

    @Test
    void waitsThatEnd_leaveLocksUsableAndNameWhoIsMissing() throws InterruptedException {
        DsmRun.run(DsmRun.programLine("-n 3 --no-table", "EndedWaits"))
                .assertStatus(0)
                .assertOut("verified: waits have ended")
                .assertOut("late: barrier 'in vain' has ")
                .assertOut("broken: barrier 'in vain' has ")
                .assertOut("missing: node 0 (1 of 1)");
    }
}
