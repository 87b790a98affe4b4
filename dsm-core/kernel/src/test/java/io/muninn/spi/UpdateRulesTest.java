package io.muninn.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UpdateRulesTest {
    @ParameterizedTest
    @EnumSource
    void nodeOfOneProcess_hasOneView(Views views) {
        UpdateRules rules = UpdateRules.DEFAULT.withViews(views);

        assertEquals(Views.OF_NODE, rules.forProcesses(1).views());
    }

    @Test
    void nodeOfSeveralProcesses_hasAViewForEach() {
        assertEquals(Views.MERGING, UpdateRules.DEFAULT.forProcesses(2).views());
        assertEquals(
                Views.TAKING, UpdateRules.DEFAULT.withViews(Views.TAKING).forProcesses(16).views());
    }

    @Test
    void rulesForProcesses_keepAllOthers() {
        UpdateRules rules =
                new UpdateRules(7_000, 9, true, ReadAheadRules.OFF, 11, LazyWriters.SINGLE);

        assertEquals(rules.withViews(Views.MERGING), rules.forProcesses(2));
        assertEquals(rules, rules.forProcesses(2).forProcesses(1));
    }

    @Test
    void views_areInTheTextThatNodesCompare() {
        String text = UpdateRules.DEFAULT.forProcesses(2).text();

        assertTrue(text.endsWith(", a view per process, fetches merge pages"), text);
        assertEquals(UpdateRules.DEFAULT.text(), UpdateRules.DEFAULT.forProcesses(1).text());
    }

    @Test
    void variantOfWeakPages_isInTheTextThatNodesCompare() {
        WeakRules variant =
                new WeakRules(
                        WeakRules.Transition.IMMEDIATE,
                        WeakRules.Lists.CENTRALIZED,
                        WeakRules.Notices.TRANSITION,
                        0,
                        1);
        String text = UpdateRules.DEFAULT.withWeak(variant).text();

        assertTrue(
                text.endsWith(
                        ", weak pages: immediate transitions, centralized lists, notices at each"
                                + " transition, unsafe after 0, safe after 1"),
                text);
        assertEquals(
                UpdateRules.DEFAULT.text(), UpdateRules.DEFAULT.withWeak(WeakRules.DEFAULT).text());
    }

    @Test
    void copyMadeBetweenAStoreAndItsRelease_needsANotice() {
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        new WeakRules(
                                WeakRules.Transition.IMMEDIATE,
                                WeakRules.Lists.DISTRIBUTED,
                                WeakRules.Notices.PUBLISH,
                                0,
                                1));
    }
}
