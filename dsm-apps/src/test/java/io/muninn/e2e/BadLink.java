package io.muninn.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A link between two agents that does one thing wrong, at a place that a seed determines: a proxy
 * on loopback. A link that only delays does so all the time.
 *
 * <p><b>Threads.</b> One for accepting, and two for each connection, which end with the link.
 */
final class BadLink implements AutoCloseable {
    /** What goes wrong. */
    enum Fault {
        DELAY,
        DROP,
        DUPLICATE,
        REORDER,
        /** A bit in each of two neighbouring bytes: in the header of a record, TLS ignores one. */
        FLIP,
        CUT,
        /** Takes a frame out, and numbers all others anew: see {@link Forgery}. */
        SWALLOW,
        /** Puts a frame in that ends the run, likewise. */
        FINISHED;

        Optional<Forgery.Kind> forgery() {
            return switch (this) {
                case SWALLOW -> Optional.of(Forgery.Kind.SWALLOW);
                case FINISHED -> Optional.of(Forgery.Kind.FINISHED);
                default -> Optional.empty();
            };
        }
    }

    /** A forged frame is behind fewer messages than this. */
    private static final int MESSAGES_BEFORE_MAX = 40;

    /** Bytes of one direction that pass unharmed: more than a handshake has. */
    private static final int UNHARMED_BYTES = 6_000;

    /** The fault is within so many bytes behind them. */
    private static final int FAULT_WITHIN = 30_000;

    private static final int PIECE_BYTES_MAX = 1_400;
    private static final long DELAY_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(3);

    private final ServerSocket listening;
    private final int target;
    private final Fault fault;
    private final Random random;
    private final List<Socket> sockets = new ArrayList<>(); // guarded by this link
    private final List<Thread> threads = new ArrayList<>(); // guarded by this link
    private boolean closed; // guarded by this link
    private volatile boolean hasHarmed;

    private BadLink(ServerSocket listening, int target, Fault fault, long seed) {
        this.listening = listening;
        this.target = target;
        this.fault = fault;
        this.random = new Random(seed);
    }

    /**
     * Opens a link.
     *
     * @param target port of the loopback address where one agent listens, now or later
     */
    static BadLink open(int target, Fault fault, long seed) throws IOException {
        ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        BadLink link = new BadLink(listening, target, fault, seed);
        link.start("accepts", link::accept);
        return link;
    }

    /** Where the other agent finds the link. */
    String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    /** Whether it has done the one thing that is wrong. */
    boolean hasHarmed() {
        return hasHarmed;
    }

    private synchronized void start(String name, Runnable work) {
        threads.add(Thread.ofPlatform().name("bad-link-" + name).start(work));
    }

    private synchronized boolean keep(Socket socket) throws IOException {
        if (closed) {
            socket.close();
            return false;
        }
        sockets.add(socket);
        return true;
    }

    private void accept() {
        try {
            while (true) {
                Socket from = listening.accept();
                Socket to = new Socket();
                if (!keep(from) || !keep(to)) {
                    return;
                }
                connect(from, to);
            }
        } catch (IOException closedMeanwhile) {
            return; // the link is closed
        }
    }

    /** Closes the accepted socket if nobody listens yet: the agent dials again. */
    private void connect(Socket from, Socket to) throws IOException {
        try {
            to.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
        } catch (IOException nobodyListens) {
            from.close();
            return;
        }
        boolean first = random.nextBoolean();
        long seed = random.nextLong();
        if (fault.forgery().isPresent()) {
            int due = random.nextInt(MESSAGES_BEFORE_MAX);
            Forgery forgery = new Forgery(fault.forgery().get(), due);
            start("there", () -> forge(from, to, forgery.new Direction(first)));
            start("back", () -> forge(to, from, forgery.new Direction(!first)));
            return;
        }
        start("there", () -> pump(from, to, new Random(seed), first));
        start("back", () -> pump(to, from, new Random(seed), !first));
    }

    private void forge(Socket from, Socket to, Forgery.Direction direction) {
        try (from;
                to) {
            from.setTcpNoDelay(true);
            to.setTcpNoDelay(true);
            byte[] piece = new byte[PIECE_BYTES_MAX];
            int count = from.getInputStream().read(piece);
            while (count >= 0) {
                hasHarmed |= direction.carry(piece, count, to.getOutputStream());
                count = from.getInputStream().read(piece);
            }
        } catch (IOException ended) {
            return; // one side has ended, or the link is closed
        }
    }

    /**
     * Carries the bytes of one direction.
     *
     * @param isFaulty whether the fault is in this direction; a link that delays does so in both
     */
    private void pump(Socket from, Socket to, Random chance, boolean isFaulty) {
        long due = UNHARMED_BYTES + chance.nextInt(FAULT_WITHIN);
        try (from;
                to) {
            from.setTcpNoDelay(true);
            to.setTcpNoDelay(true);
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] piece = new byte[PIECE_BYTES_MAX];
            long carried = 0;
            int count = in.read(piece);
            while (count >= 0) {
                boolean now = isFaulty && !hasHarmed && carried <= due && due < carried + count;
                if (fault == Fault.DELAY) {
                    LockSupport.parkNanos(chance.nextLong(DELAY_NANOS_MAX));
                }
                if (!now || fault == Fault.DELAY) {
                    out.write(piece, 0, count);
                } else if (!harm(piece, count, (int) (due - carried), in, out)) {
                    return;
                }
                carried += count;
                count = in.read(piece);
            }
        } catch (IOException ended) {
            return; // one side has ended, or the link is closed
        }
    }

    /**
     * Does the one thing that is wrong.
     *
     * @param at the place in the piece
     * @return false if the link is cut
     */
    private boolean harm(byte[] piece, int count, int at, InputStream in, OutputStream out)
            throws IOException {
        hasHarmed = true;
        switch (fault) {
            case DROP -> out.write(piece, 0, at); // at least one byte is missing
            case DUPLICATE -> {
                out.write(piece, 0, count);
                out.write(piece, at, count - at);
            }
            case REORDER -> {
                byte[] next = new byte[PIECE_BYTES_MAX];
                int more = in.read(next);
                hasHarmed = more >= 0; // else the sender has given the connection up meanwhile
                out.write(next, 0, Math.max(0, more));
                out.write(piece, 0, count);
            }
            case FLIP -> {
                for (int i = Math.max(0, at - 1); i <= at; i++) {
                    piece[i] ^= (byte) (1 << random.nextInt(Byte.SIZE));
                }
                out.write(piece, 0, count);
            }
            case CUT -> {
                return false;
            }
            case DELAY, SWALLOW, FINISHED -> throw new IllegalStateException("a delay is no harm");
        }
        return true;
    }

    /** Closes all connections and waits for the threads. */
    @Override
    public void close() throws IOException {
        List<Thread> ending;
        synchronized (this) {
            closed = true;
            listening.close();
            for (Socket socket : sockets) {
                socket.close();
            }
            ending = new ArrayList<>(threads);
        }
        for (Thread thread : ending) {
            try {
                thread.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
