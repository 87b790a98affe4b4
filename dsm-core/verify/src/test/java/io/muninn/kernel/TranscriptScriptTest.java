package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The language of the transcripts: what it refuses, and how it rewrites a stale one. */
class TranscriptScriptTest {
    private static final String TWO_NODES =
            """
            nodes 2
            region grid migratory 1 page
            """;

    @Test
    void staleDeeds_areReplacedAndProseStays() {
        String stale =
                """
                # Prose.
                nodes 2
                region grid migratory 1 page

                n0 stores grid[0].3 = 7
                  n0  has done something else
                # More prose.
                n1 loads grid[0].3 = 7
                deliver all
                """;
        String fresh =
                """
                # Prose.
                nodes 2
                region grid migratory 1 page

                n0 stores grid[0].3 = 7
                  n0  FaultRaised grid[0] WRITE
                        ResumeFault grid[0] READ_WRITE
                  n0  has stored grid[0].3 = 7
                # More prose.
                n1 loads grid[0].3 = 7
                  n1  FaultRaised grid[0] READ
                        Send n0: migratory-request grid[0], asker n1, number 1
                deliver all
                  n0  from n1: migratory-request grid[0], asker n1, number 1
                        SetAccess grid[0] READ
                        Send n1: migratory-page grid[0], answered 1, image of page
                        Discard grid[0]
                  n1  from n0: migratory-page grid[0], answered 1, image [3]=7
                        InstallPage grid[0] READ_WRITE
                        ResumeFault grid[0] READ_WRITE
                  n1  has loaded grid[0].3: 7
                """;

        assertEquals(fresh, TranscriptScript.rewrite(stale));
        assertEquals(fresh, TranscriptScript.rewrite(fresh));
    }

    @Test
    void loadOfAnotherValue_failsWithLineAndValues() {
        assertRefused(
                "line 3: n0 loads grid[0].0 = 5: grid[0].0 is 0, not 5", "n0 loads grid[0].0 = 5");
    }

    @Test
    void loadOfAnotherValueInWhatIsGiven_failsToo() {
        assertRefused("grid[0].0 is 0, not 5", "given n1 loads grid[0].0 = 5");
    }

    @Test
    void unknownCommand_isRefused() {
        assertRefused("line 3: n0 dreams: not a command", "n0 dreams");
    }

    @Test
    void messageLeftOnItsWay_isRefused() {
        assertRefused("at the end messages are on their way", "n1 loads grid[0].0\nn1 waits");
    }

    @Test
    void threadThatWaitsAtTheEnd_isRefusedUnlessTheTranscriptSaysSo() {
        String stuck = "n0 acquires L\nn1 acquires L\ndeliver all\n";

        assertRefused("at the end thread 0 of n1 still waits", stuck);
        TranscriptScript.rewrite(TWO_NODES + stuck + "n1 waits\n");
    }

    @Test
    void waitOfAThreadThatDoesNotWait_isRefused() {
        assertRefused("it does not wait", "n0 loads grid[0].0\nn0 waits");
    }

    @Test
    void deliveryOfNothing_isRefused() {
        assertRefused("nothing is on its way from n0 to n1", "deliver n0 -> n1");
    }

    @Test
    void heldLink_deliversWhenItIsFreed() {
        String script =
                TWO_NODES + "hold n1 -> n0\nn1 loads grid[0].0 = 0\ndeliver all\nn1 waits\n";

        assertThrows(AssertionError.class, () -> TranscriptScript.rewrite(script));
        TranscriptScript.rewrite(script + "free n1 -> n0\ndeliver all\n");
    }

    @Test
    void timePasses_firingTimersOnTheirWay() {
        String script =
                TWO_NODES
                        + "given n1 stores grid[0].0 = 1\n"
                        + "given n0 loads grid[0].0 = 1\n" // deferred for the hold time
                        + "time passes 99 us\n"
                        + "n0 waits\n"
                        + "time passes 1 us\n"
                        + "deliver all\n";

        String rewritten = TranscriptScript.rewrite(script);

        assertTrue(rewritten.contains("n0 waits\ntime passes 1 us\n  n1  TimerFired"), rewritten);
    }

    @Test
    void transcriptWithoutCommands_isRefused() {
        assertThrows(AssertionError.class, () -> TranscriptScript.rewrite("# Prose.\n"));
    }

    @Test
    void difference_showsWhatChangedWithItsNeighbours() {
        String expected = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n";
        String found = "a\nb\nc\nd\nE\nf\ng\nh\ni\nj\n";

        assertEquals(
                """
                  line 2:
                 b
                 c
                 d
                -e
                +E
                 f
                 g
                 h
                """,
                TranscriptDifference.between(expected, found));
        assertEquals("", TranscriptDifference.between(expected, expected));
        assertEquals("  line 1:\n+a\n", TranscriptDifference.between("", "a\n"));
    }

    private static void assertRefused(String text, String commands) {
        AssertionError refusal =
                assertThrows(
                        AssertionError.class,
                        () -> TranscriptScript.rewrite(TWO_NODES + commands + "\n"));
        assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
    }
}
