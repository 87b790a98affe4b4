package io.muninn.sim.machine;

import java.util.Arrays;

/**
 * A resource that serves one request at a time, first come, first served: a bus or a network
 * interface. It keeps the time until which it is busy.
 *
 * <p>Requests of messages are booked one by one, at their time. A processor books the requests of a
 * whole quantum at once, as if they were spread evenly over it: the quantum becomes longer if the
 * server cannot serve them within it, and by the queue that they meet. The length of that queue
 * follows from the time which others have booked in the same window: of two that disturb each
 * other, the one that books later waits for both.
 *
 * <p>Times are in picoseconds since the start of the run.
 */
public final class Server {
    /** Largest utilization by others for which a queue is computed; above, the backlog decides. */
    private static final double UTILIZATION_MAX = 0.9;

    private final long windowPicos;
    private final long[] ofRequester; // booked in the present window
    private long window;
    private long inWindow; // booked by all
    private long busyUntilPicos;
    private long busyPicos;
    private long waitedPicos;

    /**
     * @param windowPicos period over which utilization is measured, at least 1
     * @param requesters number of processors that book quanta
     */
    public Server(long windowPicos, int requesters) {
        this.windowPicos = windowPicos;
        ofRequester = new long[requesters];
    }

    /** Books one request. Returns when it has been served. */
    public long book(long nowPicos, long servicePicos) {
        long start = Math.max(nowPicos, busyUntilPicos);
        busyUntilPicos = start + servicePicos;
        waitedPicos += start - nowPicos;
        count(nowPicos, servicePicos);
        return busyUntilPicos;
    }

    /**
     * Books all requests of a requester between two times.
     *
     * @param servicePicos of all requests together
     * @return by how much the requester is delayed
     */
    public long bookSpread(int requester, long fromPicos, long untilPicos, long servicePicos) {
        busyUntilPicos = Math.max(busyUntilPicos, fromPicos) + servicePicos;
        long backlog = Math.max(0, busyUntilPicos - untilPicos);
        count(fromPicos, servicePicos);
        ofRequester[requester] += servicePicos;
        double others = (double) (inWindow - ofRequester[requester]) / windowPicos;
        double utilization = Math.min(others, UTILIZATION_MAX);
        long queue = (long) (servicePicos * utilization / (1 - utilization));
        long delay = Math.max(backlog, queue);
        waitedPicos += delay;
        return delay;
    }

    private void count(long nowPicos, long servicePicos) {
        busyPicos += servicePicos;
        long now = nowPicos / windowPicos;
        if (now > window) {
            window = now;
            inWindow = 0;
            Arrays.fill(ofRequester, 0);
        }
        inWindow += servicePicos;
    }

    /** How long the server is still busy with requests that were booked. */
    public long backlogPicos(long nowPicos) {
        return Math.max(0, busyUntilPicos - nowPicos);
    }

    /** Total time of service that was booked. */
    public long busyPicos() {
        return busyPicos;
    }

    /** Total time for which requesters have waited for the server. */
    public long waitedPicos() {
        return waitedPicos;
    }
}
