package io.muninn.bench.series;

import io.muninn.apps.Turns;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives {@linkplain Turns turns} to processes: in one order in one round, and in the other in the
 * next. A process that waits for a turn when this is closed, ends.
 *
 * <p><b>Threads.</b> Of one thread; the door may be closed by any.
 */
public final class TurnGiver implements AutoCloseable {
    private final ServerSocket door;
    private final int patienceMillis;
    private final List<Socket> processes = new ArrayList<>();

    /**
     * @param door to which processes connect; it stays open when this is closed
     * @param patienceMillis for the start of a process as for a turn
     */
    public TurnGiver(ServerSocket door, int patienceMillis) {
        this.door = door;
        this.patienceMillis = patienceMillis;
    }

    /**
     * Waits until so many more processes are there.
     *
     * @throws IOException if one takes too long, or the door is closed before all came
     */
    public void admit(int count) throws IOException {
        door.setSoTimeout(patienceMillis);
        for (int i = 0; i < count; i++) {
            Socket process = door.accept();
            process.setSoTimeout(patienceMillis);
            processes.add(process);
        }
    }

    /**
     * Gives turns to all who are there, until each has said that it had its last.
     *
     * @throws IOException if a process is gone, or takes too long
     */
    public void giveAll() throws IOException {
        give(Integer.MAX_VALUE);
    }

    /**
     * As {@link #giveAll}, but in so many rounds at most.
     *
     * @throws IOException if a process is gone, or takes too long
     */
    public void give(int rounds) throws IOException {
        List<Socket> left = new ArrayList<>(processes);
        for (int round = 0; round < rounds && !left.isEmpty(); round++) {
            List<Socket> order = List.copyOf(left);
            for (Socket process : round % 2 == 0 ? order : order.reversed()) {
                if (turn(process) == Turns.LAST) {
                    left.remove(process);
                }
            }
        }
    }

    /** What the process says at its end. */
    private static int turn(Socket process) throws IOException {
        process.getOutputStream().write(0);
        int end = process.getInputStream().read();
        if (end < 0) {
            throw new IOException("the other process is gone");
        }
        return end;
    }

    @Override
    public void close() throws IOException {
        for (Socket process : processes) {
            process.close();
        }
    }
}
