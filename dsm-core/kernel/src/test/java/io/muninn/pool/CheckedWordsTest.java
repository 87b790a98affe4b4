package io.muninn.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckedWordsTest {
    private static final int PAGES = 70;
    private static final int NODES = 3;
    private static final int PAGE = 66;
    private static final int STEPS = 20_000;
    private static final PoolRules RULES = new PoolRules(true, 2, 2);
    private static final PoolLayout LAYOUT = new PoolLayout(PAGES, NODES);

    private final LocalWords memory = new LocalWords(LAYOUT.words());
    private final CheckedWords words = new CheckedWords(LAYOUT, RULES, memory);
    private final CoherentMap map = new CoherentMap(LAYOUT, RULES, words);
    private final MapAudit audit = new MapAudit(LAYOUT, words);

    private static void assertBroken(String text, Executable use) {
        String message = assertThrows(BrokenMapException.class, use).getMessage();
        assertTrue(message.startsWith(text), message);
    }

    @ParameterizedTest
    @CsvSource({"true, 0, 1", "false, 2, 2", "true, 8, 8"})
    void anyOperations_leaveNoValueThatIsRejected(boolean lists, int notices, int checks) {
        PoolRules rules = new PoolRules(lists, notices, checks);
        CheckedWords all = new CheckedWords(LAYOUT, rules, memory);
        CoherentMap any = new CoherentMap(LAYOUT, rules, all);
        Random random = new Random(5);
        for (int i = 0; i < STEPS; i++) {
            int node = random.nextInt(NODES);
            int page = PAGES - 1 - random.nextInt(4);
            switch (random.nextInt(5)) {
                case 0 -> any.leave(node, page);
                case 1 -> any.takeList(node, listed -> assertTrue(listed < PAGES));
                case 2 -> any.check(node, page);
                case 3 -> any.publish(node, page);
                default -> any.enter(node, page);
            }
        }
        for (int word = 0; word < LAYOUT.words(); word++) {
            all.get(word);
        }
    }

    @Test
    void nodeThatThereIsNot_isNamed() {
        map.enter(0, PAGE);
        memory.getAndOr(LAYOUT.mappers(PAGE), 8);

        String text = "word 'mappers' of the pool is 0x9, with node 3, and the run has 3 nodes";
        assertBroken(text, () -> map.publish(0, PAGE));
        assertBroken(text, () -> audit.page(PAGE));
        BrokenMapException broken =
                assertThrows(BrokenMapException.class, () -> audit.mapper(0, PAGE));
        assertEquals(OptionalInt.of(PAGE), broken.page());
        assertBroken(text, () -> map.leave(0, PAGE));

        memory.getAndSet(LAYOUT.stale(PAGE), -1);
        assertBroken("word 'stale' of the pool is 0xff", () -> map.check(0, PAGE));
        memory.getAndSet(LAYOUT.writers(PAGE), 16);
        assertBroken("word 'writers' of the pool is 0x10, with node 4", () -> audit(PAGE));
    }

    private void audit(int page) {
        memory.getAndSet(LAYOUT.mappers(page), 1);
        audit.page(page);
    }

    /**
     * Of safe pages settled or with many notices; of unsafe ones with many checks, or any before.
     */
    @ParameterizedTest
    @CsvSource({"2", "12", "5", "11", "-1", "4611686018427387904"})
    void historyThatNoPageHas_isRejected(long history) {
        memory.getAndSet(LAYOUT.history(PAGE), history);

        assertBroken("word 'history' of the pool is 0x", () -> map.enter(1, PAGE));
    }

    @ParameterizedTest
    @CsvSource({"0", "8", "1", "3", "7"})
    void historyThatAPageHas_isAccepted(long history) {
        memory.getAndSet(LAYOUT.history(PAGE), history);

        audit.page(PAGE);
    }

    @Test
    void noticeOfAPageThatThereIsNot_isRejected() {
        memory.getAndSet(LAYOUT.leaf(2, 1), 1L << 6);
        memory.getAndSet(LAYOUT.summary(2, 0), 2);
        assertBroken(
                "word 1 of the leaves of node 2's weak list of the pool is 0x40, with bit 6",
                () -> map.takeList(2, _ -> {}));

        memory.getAndSet(LAYOUT.summary(1, 0), 4);
        assertBroken(
                "word 0 of the summary of node 1's weak list of the pool is 0x4, with bit 2",
                () -> map.takeList(1, _ -> {}));
    }

    @Test
    void ownBitThatWasCleared_isMissed() {
        map.enter(1, PAGE);
        audit.mapper(1, PAGE);
        memory.getAndSet(LAYOUT.mappers(PAGE), 1);

        assertBroken(
                "word 'mappers' of the pool is 0x1, without node 1, which has a copy",
                () -> audit.mapper(1, PAGE));
    }

    @Test
    void noticeThatNoSummaryAnnounces_isFound() {
        map.enter(0, PAGE);
        map.enter(1, PAGE);
        map.publish(0, PAGE);
        audit.lists(1, PAGES);
        memory.getAndSet(LAYOUT.summary(1, 0), 0);

        assertBroken(
                "word 1 of the leaves of node 1's weak list of the pool is 0x4, and the summary",
                () -> audit.lists(1, PAGES));
    }

    @Test
    void sixtyFourNodes_haveEveryBit() {
        PoolLayout layout = new PoolLayout(1, Long.SIZE);
        CheckedWords all = new CheckedWords(layout, RULES, new LocalWords(layout.words()));
        all.getAndSet(layout.mappers(0), -1);

        assertEquals(-1, all.get(layout.mappers(0)));
    }
}
