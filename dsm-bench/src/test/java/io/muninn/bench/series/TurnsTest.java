package io.muninn.bench.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.apps.Turns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TurnsTest {
    private static final int PATIENCE_MILLIS = 50_000;
    private static final int ROUNDS = 4;

    private final ExecutorService others = Executors.newCachedThreadPool();
    private ServerSocket door;

    @BeforeEach
    void open() throws IOException {
        door = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        door.close();
        others.shutdownNow();
        others.close();
    }

    private Future<Void> giver() {
        return others.submit(() -> {
            try (TurnGiver giver = new TurnGiver(door, PATIENCE_MILLIS)) {
                giver.admit(2);
                giver.give(ROUNDS);
            }
            return null;
        });
    }

    @Test
    void oneGoesOnAtATime_firstInOneRoundAndLastInTheNext() throws Exception {
        StringBuffer events = new StringBuffer();
        Future<Void> giver = giver();
        try (Turns first = new Turns(door.getLocalPort());
                Turns second = new Turns(door.getLocalPort())) {
            Future<?> a = others.submit(() -> take(first, "a", events));
            Future<?> b = others.submit(() -> take(second, "b", events));
            a.get();
            b.get();
        }
        giver.get();

        assertEquals("a()b() b()a() a()b() b()a()".replace(" ", ""), events.toString());
    }

    private static void take(Turns turns, String name, StringBuffer events) {
        for (int i = 0; i < ROUNDS; i++) {
            turns.await();
            events.append(name).append("(");
            events.append(")");
            turns.pass();
        }
    }

    @Test
    void whoHadItsLastTurn_waitsForTheTurnsOfOthers() throws Exception {
        StringBuffer events = new StringBuffer();
        Future<Void> giver = giver();
        try (Turns first = new Turns(door.getLocalPort());
                Turns second = new Turns(door.getLocalPort())) {
            Future<?> other =
                    others.submit(() -> {
                        take(second, "b", events);
                        second.awaitEnd();
                        events.append(".");
                    });
            take(first, "a", events);
            first.awaitEnd();
            other.get();
        }
        giver.get();

        assertEquals("a()b()b()a()a()b()b()a().", events.toString());
    }

    @Test
    void whoAloneKnowsItsLastTurn_saysSo() throws Exception {
        StringBuffer events = new StringBuffer();
        Future<?> giver =
                others.submit(() -> {
                    try (TurnGiver all = new TurnGiver(door, PATIENCE_MILLIS)) {
                        all.admit(1);
                        all.admit(1);
                        all.giveAll();
                    }
                    return null;
                });
        try (Turns first = new Turns(door.getLocalPort());
                Turns second = new Turns(door.getLocalPort())) {
            Future<?> other = others.submit(() -> takeToTheLast(second, "b", 3, events));
            takeToTheLast(first, "a", 1, events);
            other.get();
        }
        giver.get();

        assertEquals("abbb", events.substring(0, 4));
        assertEquals("..", events.substring(4)); // both returned after the last turn of all
    }

    private static void takeToTheLast(Turns turns, String name, int count, StringBuffer events) {
        for (int i = 0; i < count; i++) {
            turns.await();
            events.append(name);
            if (i < count - 1) {
                turns.pass();
            }
        }
        turns.passLast();
        events.append(".");
    }

    @Test
    void processThatIsGone_endsTheTurnsOfAll() throws Exception {
        Future<Void> giver = giver();
        Turns first = new Turns(door.getLocalPort());
        try (Turns second = new Turns(door.getLocalPort())) {
            first.await();
            first.close();

            assertThrows(UncheckedIOException.class, second::await);
        }
        ExecutionException told = assertThrows(ExecutionException.class, giver::get);
        assertInstanceOf(IOException.class, told.getCause());
    }

    @Test
    void doorThatIsClosed_endsTheWaitForThoseWhoDidNotCome() throws Exception {
        Future<Void> giver = giver();
        try (Turns alone = new Turns(door.getLocalPort())) {
            door.close();

            ExecutionException told = assertThrows(ExecutionException.class, giver::get);
            assertInstanceOf(IOException.class, told.getCause());
            assertThrows(UncheckedIOException.class, alone::await);
        }
        assertThrows(UncheckedIOException.class, () -> new Turns(door.getLocalPort()));
    }
}
