package io.muninn.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgendaTest {
    private final Agenda agenda = new Agenda();
    private final List<String> done = new ArrayList<>();

    @Test
    void thingsHappenInTheOrderOfTheirTimes() {
        agenda.at(30, () -> done.add("third"));
        agenda.at(10, () -> done.add("first"));
        agenda.after(20, () -> done.add("second"));

        doAll();

        assertEquals(List.of("first", "second", "third"), done);
        assertEquals(30, agenda.nowNanos());
    }

    @Test
    void thingsForOneTimeHappenInTheOrderInWhichTheyWerePlanned() {
        for (int i = 0; i < 100; i++) {
            String name = "thing " + i;
            agenda.at(5, () -> done.add(name));
        }

        doAll();

        assertEquals("thing 0", done.getFirst());
        assertEquals("thing 99", done.getLast());
    }

    @Test
    void whatIsPlannedForThePast_happensNow() {
        agenda.at(10, () -> agenda.at(3, () -> done.add("at " + agenda.nowNanos())));

        doAll();

        assertEquals(List.of("at 10"), done);
    }

    @Test
    void timePassesToTheNextThingAtMost() {
        agenda.at(10, () -> done.add("thing"));

        agenda.passTo(7);
        assertEquals(7, agenda.nowNanos());
        agenda.passTo(50);
        assertEquals(10, agenda.nowNanos());
        assertTrue(done.isEmpty());
    }

    private void doAll() {
        while (!agenda.isEmpty()) {
            agenda.step();
        }
    }
}
