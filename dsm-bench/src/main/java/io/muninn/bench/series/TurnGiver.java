package io.muninn.bench.series;

import io.muninn.apps.Turns;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives {@linkplain Turns turns} to processes in rounds, whose order alternates. When this is
 * closed, the connections are closed and waiting processes fail.
 *
 * <p><b>Threads.</b> One; any thread may close the server socket.
 */
public final class TurnGiver implements AutoCloseable {
    private final ServerSocket door;
    private final int patienceMillis;
    private final List<Socket> processes = new ArrayList<>();

    /**
     * @param door server socket to which processes connect; not closed by {@link #close}
     * @param patienceMillis timeout for the start of a process and for each turn
     */
    public TurnGiver(ServerSocket door, int patienceMillis) {
        this.door = door;
        this.patienceMillis = patienceMillis;
    }

    /**
     * Waits until {@code count} more processes have connected.
     *
     * @throws IOException on timeout, or if the server socket is closed before all have connected
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
     * Gives turns to all connected processes until each has reported its last turn.
     *
     * @throws IOException if a process has ended, or on timeout
     */
    public void giveAll() throws IOException {
        give(Integer.MAX_VALUE);
    }

    /**
     * As {@link #giveAll}, but gives at most {@code rounds} turns to each process.
     *
     * @throws IOException if a process has ended, or on timeout
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

    /** Gives one turn; returns the message of the process at the end of its turn. */
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
