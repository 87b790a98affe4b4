package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs and command lines that go wrong say so clearly, and leave nothing running. */
@Tag("e2e")
class WrongProgramsE2eTest {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    @Test
    void programThatThrowsOnOneNode_showsItsTraceAndEndsTheOthers() throws InterruptedException {
        assertThrowsOnOneNode(2, 1);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void programThatThrowsOnANode_showsItsTraceAndEndsTheOthers(int thrower)
            throws InterruptedException {
        assertThrowsOnOneNode(3, thrower);
    }

    private static void assertThrowsOnOneNode(int nodes, int thrower) throws InterruptedException {
        DsmRun.Result result =
                DsmRun.run(DsmRun.programLine("-n " + nodes, "ThrowsOnOneNode " + thrower));

        result.assertStatus(FAILED)
                .assertErr("java.lang.IllegalStateException: thrown on purpose")
                .assertErr("at io.muninn.e2e.programs.ThrowsOnOneNode.run(ThrowsOnOneNode.java:");
        for (int node = 0; node < nodes; node++) {
            if (node != thrower) {
                result.assertOut("finally on node " + node);
            }
        }
    }

    @Test
    void storeToReadOnly_namesTheVariable() throws InterruptedException {
        DsmRun.Result result = DsmRun.run(DsmRun.programLine("-n 2", "WritesReadOnly"));

        result.assertStatus(FAILED)
                .assertOut("read 42")
                .assertErr(
                        "store to variable constants, which is READ_ONLY since initialization ended");
    }

    @Test
    void indexOutOfBounds_isJavasOwnExceptionAndInTheReport() throws InterruptedException {
        DsmRun.Result result = DsmRun.run(DsmRun.programLine("-n 2 --json -", "OutOfBounds"));

        JsonObject report = JsonParser.parseString(result.out()).getAsJsonObject(); // alone there
        assertEquals(FAILED, report.get("status").getAsInt());
        String node = report.get("node").getAsString();
        String cause = report.get("cause").getAsString();
        assertTrue(cause.contains("its program failed: java.lang.IndexOutOfBounds"), cause);
        assertTrue(result.err().contains("node " + node + ": java.lang.Index"), result::toString);
        result.assertStatus(FAILED)
                .assertErr("IndexOutOfBoundsException")
                .assertErr("100")
                .assertErr("at io.muninn.e2e.programs.OutOfBounds.run");
    }

    @Tag("slow")
    @Test
    void barrierThatNotAllReachInTime_saysWhoIsMissing() throws InterruptedException {
        DsmRun.Result result = DsmRun.run(DsmRun.programLine("-n 3", "WrongParties busy"));

        result.assertStatus(FAILED).assertErr("TimeoutException").assertErr("everybody");
        assertMissing(result, "everybody", 2);
    }

    @Test
    void barriersThatNobodyCanPass_sayWhoIsMissingWhere() throws InterruptedException {
        DsmRun.Result result = DsmRun.run(DsmRun.programLine("-n 3", "WrongParties waits"));

        result.assertStatus(FAILED).assertErr("BarrierBrokenException");
        assertMissing(result, "everybody", 2);
        assertMissing(result, "nobody else", 0);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run -n 2 --memory 1m diff | memory",
                "run -n 2 --memory 1m mult --size 600 | memory"
            })
    void regionLargerThanMemoryAllows_isRefused(String line, String expected)
            throws InterruptedException {
        DsmRun.Result result = DsmRun.run(line).assertStatus(FAILED).assertErr(expected);

        assertTrue(!result.err().contains("\tat "), () -> "no stack trace for a user: " + result);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run nosuch | unknown program 'nosuch'",
                "run -n 3 fft | fft: runs on a power of two of threads (nodes times threads), not on 3"
            })
    void unusableCommandLine_isToldBeforeAnythingStarts(String line, String expected)
            throws InterruptedException {
        assertUsage(line, expected);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run -n 65 hello | -n 65: a live run has at most 64 nodes",
                "run diff --rows 99999999999 | option --rows is an integer from 1 to 65536",
                "run mult --size 0 | option --size is an integer from 1 to 16384",
                "run fft --points 1000 | option --points is a power of two, not '1000'",
                "run tsp-c --instance pom.xml | instance pom.xml, line 1: expected the number of cities",
                "run diff --version ship | option --version is one of dsm, mp, seq"
            })
    void valueOutOfRange_isToldBeforeAnythingStarts(String line, String expected)
            throws InterruptedException {
        assertUsage(line, expected);
    }

    private static void assertUsage(String line, String expected) throws InterruptedException {
        DsmRun.Result result = DsmRun.run(line).assertStatus(USAGE).assertErr(expected);

        assertEquals(1, result.err().lines().count(), result::toString);
    }

    @Test
    void classThatIsNoProgram_isToldOnce() throws InterruptedException {
        DsmRun.Result result =
                DsmRun.run(DsmRun.programLine("-n 2", "package-info"))
                        .assertStatus(USAGE)
                        .assertErr("package-info does not implement DsmProgram");

        assertEquals(1, result.err().lines().count(), result::toString);
    }

    /** The root loads the pages that it holds; another node is refused at once. */
    @Test
    void threadsThatAreNotTheRuns_areRefusedOrEndAsDocumented() throws InterruptedException {
        DsmRun.run(DsmRun.programLine("-n 2 --no-table", "OddThreads"))
                .assertStatus(0)
                .assertOut("99 %\nverified: odd threads")
                .assertOut("late on node 0: 0")
                .assertOut("late on node 1: not here")
                .assertErr("node 1: warning: a thread accesses variable 'late' after the end");
    }

    @Test
    void jvmOptionThatIsWrong_endsTheRun() throws InterruptedException {
        DsmRun.run("run -n 2 --jvm-option -XX:NoSuchOption hello")
                .assertStatus(FAILED)
                .assertErr("NoSuchOption");
    }

    private static void assertMissing(DsmRun.Result result, String barrier, int node) {
        String pattern = ".*'" + barrier + "'[^;]*missing[^;]*node " + node + "\\b.*";
        assertTrue(result.err().lines().anyMatch(line -> line.matches(pattern)), result::toString);
    }
}
