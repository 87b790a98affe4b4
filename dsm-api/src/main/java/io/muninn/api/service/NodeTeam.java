package io.muninn.api.service;

import static java.util.Objects.requireNonNull;

import io.muninn.api.Domain;
import io.muninn.api.DsmException;
import io.muninn.api.DsmNode;
import io.muninn.api.Home;
import io.muninn.api.Loop;
import io.muninn.api.LoopException;
import io.muninn.api.None;
import io.muninn.api.Part;
import io.muninn.api.Protocol;
import io.muninn.api.Reduction;
import io.muninn.api.Schedule;
import io.muninn.api.SharedVariable;
import io.muninn.api.Team;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.reduction.Round;
import io.muninn.api.service.LoopStart.Form;
import io.muninn.api.shipping.Thrown;
import io.muninn.api.shipping.ValueCoder;
import io.muninn.api.spi.ViewBinder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/**
 * One thread of the team that runs the loops of a program.
 *
 * <p>All threads but the root's first wait at a barrier. The root's first thread waits until all
 * others have arrived, then runs the sequential part. To start a loop, it arrives with the start of
 * the loop as its contribution. The barrier completes, and all threads run their shares. The others
 * arrive for the next loop with the results of their shares; when all have arrived, the loop has
 * ended. So a loop costs a barrier.
 */
public final class NodeTeam implements Team {
    /** What starts the loops of a program. */
    public interface SequentialPart {
        void run(Team team) throws Exception;
    }

    private static final long FOR_EVER = -1;
    private static final String BARRIER = "muninn.loops";

    private final Object program;
    private final DsmNode node;
    private final LoopTable loops;
    private final BarrierLink link;
    private final ThreadServices thread;
    private final Thread owner = Thread.currentThread();
    private long starts;
    private Optional<List<LoopStart>> noWait = Optional.empty(); // loops of nowait
    private Optional<String> running = Optional.empty(); // the loop whose body this thread runs

    private NodeTeam(Object program, DsmNode node, BarrierLink link, ThreadServices thread) {
        this.program = program;
        this.node = node;
        this.loops = LoopTable.of(program);
        this.link = link;
        this.thread = thread;
    }

    /**
     * Runs the part of one thread in a program: the sequential part on the root's first thread, the
     * shares of loops on all others. During the call the thread can use no barrier but the team's.
     *
     * @param program whose fields are the shared variables and loops
     */
    public static void play(Object program, SequentialPart sequential, DsmNode node)
            throws Exception {
        NodeBarrier barrier = (NodeBarrier) node.barrier(BARRIER);
        NodeTeam team = new NodeTeam(program, node, barrier.link(), barrier.thread());
        barrier.thread().joined(team);
        try {
            if (node.position() == 0) {
                team.link.gather();
                sequential.run(team);
                team.arrive(LoopStart.none(LoopStart.END, LoopStart.NOTHING));
            } else {
                team.work();
            }
        } finally {
            barrier.thread().left();
        }
    }

    /** The error text for an arrival of this thread at a barrier that is not the team's. */
    String refusal(String barrier) {
        String part =
                running.map(loop -> "the body of loop '" + loop + "'")
                        .orElse("the sequential part of " + program.getClass().getName());
        return part
                + " cannot take part in barrier '"
                + barrier
                + "': other threads do not run it as often. The end of a loop is a barrier";
    }

    private void arrive(LoopStart only) {
        arrive(LoopStart.toContribution(List.of(only)));
    }

    private byte[] arrive(byte[] contribution) {
        thread.beforeRelease();
        try {
            return link.await(contribution, FOR_EVER);
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a wait without limit timed out", impossible);
        }
    }

    /** Runs this thread's shares of all loops. */
    private void work() {
        byte[] share = LoopShare.nothing();
        int sent = 0;
        while (true) {
            byte[] piece = LoopShare.piece(share, sent, pieceBytes());
            List<LoopStart> next = LoopStart.of(arrive(piece));
            switch (next.getFirst().loop()) {
                case LoopStart.END -> {
                    return;
                }
                case LoopStart.MORE -> sent += Math.min(pieceBytes(), share.length - sent);
                case LoopStart.ALLOCATE -> {
                    share = allocated(TeamAllocation.decode(next.getFirst().parameters()));
                    sent = 0;
                }
                case LoopStart.SEAL -> {
                    byte[] name = next.getFirst().parameters();
                    String field = new String(name, StandardCharsets.UTF_8);
                    ViewBinder.seal(TeamAllocation.made(program, field));
                    share = LoopShare.nothing();
                    sent = 0;
                }
                default -> {
                    share = share(next);
                    sent = 0;
                }
            }
        }
    }

    /** Largest number of bytes of a share in one message. */
    private int pieceBytes() {
        return Math.min(Reduction.BYTES_MAX, Reduction.ALL_BYTES_MAX / node.positions());
    }

    /** Runs this thread's shares of loops, one after the other. */
    private byte[] share(List<LoopStart> inOrder) {
        SortedMap<Integer, byte[]> values = new TreeMap<>(); // of the only loop that has values
        for (int i = 0; i < inOrder.size(); i++) {
            LoopStart start = inOrder.get(i);
            if (start.fingerprint() != loops.fingerprint()) {
                return LoopShare.failed(otherLoops(start), i, start.range().from());
            }
            LoopRun<?, ?> run = run(start);
            running = Optional.of(loops.name(start.loop()));
            try {
                run.share();
                values.putAll(run.values());
            } catch (Throwable thrown) {
                return LoopShare.failed(thrown, i, run.at());
            } finally {
                running = Optional.empty();
            }
        }
        return LoopShare.of(values);
    }

    /** The reason why the loop cannot run here. In a wavefront, other threads are notified. */
    private IllegalStateException otherLoops(LoopStart start) {
        IllegalStateException wrong =
                new IllegalStateException(
                        "node " + node.id() + " declares other loops than the root: " + loops);
        if (start.form() == Form.WAVEFRONT) {
            try {
                new Wavefront(node, thread.messageLink(), start.domain())
                        .run(_ -> {
                            throw wrong;
                        });
            } catch (IllegalStateException thrown) {
                return thrown;
            }
        }
        return wrong;
    }

    private LoopRun<?, ?> run(LoopStart start) {
        String name = loops.name(start.loop());
        return new LoopRun<>(name, loops.loop(start.loop()), start, this, thread);
    }

    // ---- of the thread that starts loops ----

    @Override
    public DsmNode node() {
        return node;
    }

    @Override
    public <P> void forEach(Domain domain, Schedule schedule, Loop<P, None> loop, P parameters) {
        checkNoResult(loop, "forEach");
        start(Form.SHARES, domain, schedule, loop, parameters, LoopStart.NOTHING);
    }

    private void checkNoResult(Loop<?, ?> loop, String call) {
        checked(loop)
                .reduction()
                .ifPresent(reduction -> {
                    throw new IllegalArgumentException(
                            name(loop)
                                    + " has a result, a "
                                    + reduction
                                    + ", which "
                                    + call
                                    + " would discard: call reduce");
                });
    }

    @Override
    public <P> void wavefront(Domain domain, Loop<P, None> loop, P parameters) {
        checkNoResult(loop, "wavefront");
        if (domain.rank() != 2 || loop.rank() != 2) {
            throw new IllegalArgumentException(
                    name(loop)
                            + " cannot be run as a wavefront over "
                            + domain
                            + ": its body and the domain must have two indices");
        }
        start(Form.WAVEFRONT, domain, Schedule.BLOCK, loop, parameters, LoopStart.NOTHING);
    }

    @Override
    public void nowait(Runnable starting) {
        if (isNested() || noWait.isPresent()) {
            starting.run();
            return;
        }
        List<LoopStart> inOrder = new ArrayList<>();
        noWait = Optional.of(inOrder);
        try {
            starting.run();
        } finally {
            noWait = Optional.empty();
        }
        if (!inOrder.isEmpty()) {
            together(inOrder);
        }
    }

    @Override
    public <V extends SharedVariable> V allocate(
            String field, V shape, Protocol protocol, Home home) {
        checkSequential(field, "allocated");
        requireNonNull(protocol, () -> "variable '" + field + "' has no protocol");
        requireNonNull(home, () -> "variable '" + field + "' has no home policy");
        TeamAllocation allocation = TeamAllocation.of(program, field, shape, protocol, home);
        arrive(LoopStart.none(LoopStart.ALLOCATE, allocation.encode()));
        Optional<RuntimeException> mine = Optional.empty();
        try {
            thread.allocateWithAll(field, shape, protocol, home);
        } catch (RuntimeException refused) { // by all threads, for the same reason
            mine = Optional.of(refused);
        }
        List<byte[]> others = gatheredShares();
        mine.ifPresent(refused -> {
            throw refused;
        });
        for (byte[] share : others) {
            LoopShare.read(share, new TreeMap<>()).ifPresent(failure -> refuse(field, failure));
        }
        allocation.assign(program, shape);
        return shape;
    }

    private void checkSequential(String field, String what) {
        if (isNested() || noWait.isPresent()) {
            throw new IllegalStateException(
                    "variable '"
                            + field
                            + "' is "
                            + what
                            + " "
                            + running.map(loop -> "in the body of loop '" + loop + "'")
                                    .orElse("in nowait")
                            + ": only the sequential part can do that");
        }
    }

    @Override
    public void seal(String field) {
        checkSequential(field, "sealed");
        SharedVariable variable = TeamAllocation.made(program, field);
        byte[] name = field.getBytes(StandardCharsets.UTF_8);
        arrive(LoopStart.none(LoopStart.SEAL, name));
        ViewBinder.seal(variable);
        gatheredShares();
    }

    private void refuse(String field, LoopShare.Failure failure) {
        Throwable cause = Thrown.read(failure.thrown(), "another node", program.getClass());
        throw new DsmException("variable '" + field + "' is not on every node: " + cause, cause);
    }

    /** Allocates the variable on a thread that runs loops. */
    private byte[] allocated(TeamAllocation allocation) {
        try {
            SharedVariable view = allocation.newView();
            thread.allocateWithAll(
                    allocation.name(), view, allocation.protocol(), allocation.home());
            allocation.assign(program, view);
            return LoopShare.nothing();
        } catch (RuntimeException refused) {
            return LoopShare.failed(refused, 0, 0);
        }
    }

    /** Adds a loop to those that run at the end of {@code nowait}. */
    private void join(List<LoopStart> inOrder, LoopStart next) {
        String name = "loop '" + loops.name(next.loop()) + "'";
        if (next.form() != Form.SHARES || loops.loop(next.loop()).reduction().isPresent()) {
            throw new IllegalStateException(
                    name
                            + (next.form() == Form.WAVEFRONT ? " is a wavefront" : " has a result")
                            + ", for which threads wait: start it outside nowait");
        }
        inOrder.add(next);
        int bytes = inOrder.stream().mapToInt(each -> each.parameters().length).sum();
        if (bytes > Reduction.BYTES_MAX) {
            throw new IllegalArgumentException(
                    inOrder.size()
                            + " loops of nowait with parameters of "
                            + bytes
                            + " bytes, more than "
                            + Reduction.BYTES_MAX
                            + ", up to "
                            + name);
        }
    }

    private boolean isNested() {
        return running.isPresent() || Thread.currentThread() != owner;
    }

    @Override
    public <P, T> T reduce(Domain domain, Schedule schedule, Loop<P, T> loop, P parameters) {
        Reduction<T> reduction =
                checked(loop)
                        .reduction()
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        name(loop) + " has no result: call forEach"));
        Collection<byte[]> values =
                start(Form.SHARES, domain, schedule, loop, parameters, LoopStart.NOTHING).values();
        if (values.isEmpty()) {
            values = List.of(ofNoIndex(domain, loop, reduction, parameters));
        }
        List<Contribution> parts = values.stream().map(Contribution::decode).toList();
        if (loop.isScan()) {
            byte[] before = LoopShare.of(LoopResult.before(parts));
            start(Form.SECOND_ROUND, domain, schedule, loop, parameters, before);
        }
        return new LoopResult<>(name(loop), domain, reduction).of(parts);
    }

    private static <P, T> Loop<P, T> checked(Loop<P, T> loop) {
        return requireNonNull(loop, "the loop is null; loops are fields of the program");
    }

    private String name(Loop<?, ?> loop) {
        return "loop '" + loops.name(loops.number(loop)) + "'";
    }

    /** The result of a loop over no index, if the body has one. */
    private <P, T> byte[] ofNoIndex(
            Domain domain, Loop<P, T> loop, Reduction<T> reduction, P parameters) {
        try {
            Part part = new Part(domain.range(), domain, node, this);
            return reduction.encode(loop.run(parameters, part), 1);
        } catch (RuntimeException unknown) {
            throw new IllegalArgumentException(
                    name(loop) + " has no result for an empty range, " + domain + ": " + unknown,
                    unknown);
        }
    }

    private void checkRank(Domain domain, Loop<?, ?> loop) {
        if (loop.rank() > 0 && loop.rank() != domain.rank()) {
            throw new IllegalArgumentException(
                    name(loop)
                            + " is run over "
                            + domain
                            + ", and its body takes "
                            + loop.rank()
                            + (loop.rank() == 1 ? " index" : " indices, one for each range"));
        }
    }

    /**
     * Runs a loop on all threads; returns the values of its parts.
     *
     * @param before see {@link LoopStart}
     */
    private <P> SortedMap<Integer, byte[]> start(
            Form form,
            Domain domain,
            Schedule schedule,
            Loop<P, ?> loop,
            P parameters,
            byte[] before) {
        int number = loops.number(loop);
        requireNonNull(domain, () -> name(loop) + " has no domain: it is null");
        requireNonNull(
                schedule,
                () -> name(loop) + " has no schedule: it is null; Schedule.BLOCK is the default");
        requireNonNull(
                parameters,
                () -> "the parameters of " + name(loop) + " are null: None.NONE if it has none");
        checkRank(domain, loop);
        if (domain.range().isEmpty()) {
            return new TreeMap<>();
        }
        byte[] encoded = ValueCoder.of(loop.parameters()).write(parameters);
        if (encoded.length > Reduction.BYTES_MAX) {
            throw new IllegalArgumentException(
                    "loop '"
                            + loops.name(number)
                            + "' with parameters of "
                            + encoded.length
                            + " bytes, more than "
                            + Reduction.BYTES_MAX);
        }
        long start = isNested() ? 0 : ++starts;
        LoopStart all =
                new LoopStart(
                        start,
                        number,
                        loops.fingerprint(),
                        form,
                        domain,
                        schedule,
                        encoded,
                        before);
        if (isNested()) {
            return inPlace(all);
        }
        if (noWait.isPresent()) {
            join(noWait.get(), all);
            return new TreeMap<>();
        }
        return together(List.of(all));
    }

    private SortedMap<Integer, byte[]> together(List<LoopStart> inOrder) {
        arrive(LoopStart.toContribution(inOrder));
        List<byte[]> shares = new ArrayList<>(List.of(share(inOrder)));
        shares.addAll(gatheredShares());
        return combined(inOrder, shares);
    }

    /** The shares of all other threads, in order of position. */
    private List<byte[]> gatheredShares() {
        List<ByteBuffer> shares = new ArrayList<>();
        while (!LoopShare.join(shares, gathered())) {
            arrive(LoopStart.none(LoopStart.MORE, LoopStart.NOTHING));
        }
        return shares.stream().map(ByteBuffer::array).toList();
    }

    private List<byte[]> gathered() {
        byte[] all = link.gather();
        return all.length > 0 ? Round.values(all) : List.of();
    }

    private SortedMap<Integer, byte[]> combined(List<LoopStart> inOrder, List<byte[]> shares) {
        SortedMap<Integer, byte[]> values = new TreeMap<>();
        List<LoopException> failures = new ArrayList<>();
        for (int position = 0; position < shares.size(); position++) {
            int of = position;
            LoopShare.read(shares.get(position), values)
                    .ifPresent(failure ->
                            failures.add(exception(inOrder.get(failure.loop()), of, failure)));
        }
        if (!failures.isEmpty()) {
            failures.sort(Comparator.comparingInt(LoopException::index));
            LoopException first = failures.getFirst();
            failures.subList(1, failures.size()).forEach(first::addSuppressed);
            throw first;
        }
        return values;
    }

    private LoopException exception(LoopStart start, int position, LoopShare.Failure failure) {
        int failed = position / node.threads();
        Throwable cause = Thrown.read(failure.thrown(), "node " + failed, program.getClass());
        return new LoopException(
                loops.name(start.loop()),
                failed,
                position % node.threads(),
                start.domain(),
                failure.index(),
                cause);
    }

    /** Runs a nested loop: this thread runs all of it, and its exceptions are the caller's. */
    private SortedMap<Integer, byte[]> inPlace(LoopStart start) {
        LoopRun<?, ?> run = run(start);
        try {
            run.whole();
            return run.values();
        } catch (Throwable thrown) {
            byte[] share = LoopShare.failed(thrown, 0, run.at());
            SortedMap<Integer, byte[]> values = new TreeMap<>();
            LoopShare.Failure failure = LoopShare.read(share, values).orElseThrow();
            throw exception(start, node.position(), failure);
        }
    }
}
