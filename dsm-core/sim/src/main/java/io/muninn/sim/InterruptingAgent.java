package io.muninn.sim;

import io.muninn.model.LockId;
import io.muninn.sim.machine.SmpMachine;
import io.muninn.sim.machine.SmpModel;
import io.muninn.sim.processor.ProcessorUse;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolMessage;
import io.muninn.sync.SyncMessage;
import io.muninn.wire.WireMessage;
import java.util.List;
import java.util.Optional;

/**
 * An agent whose handlers run on the processors of its node's threads, and interrupt them. An event
 * of a thread is handled on the processor of that thread, a reply on that of a thread that waits
 * for it, and any other event as the machine's policy says. Several handlers run at the same time
 * if they have different processors.
 *
 * <p>Diffs that are made when the last thread of a node arrives at a barrier are shared by the
 * processors whose threads stand there, because each process compares the pages that it has stored
 * to.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, section 3.1.6.
 */
final class InterruptingAgent extends AgentWork {
    private final SmpMachine machine;
    private final int threads;
    private final Processor[] present; // of the event under work, by lane
    private long sendNanos; // of the present step
    private long sharedNanos; // of the present step, of each processor that shares it
    private List<Processor> sharing = List.of(); // of the present step

    InterruptingAgent(SimNode node, SmpMachine machine) {
        super(node);
        this.machine = machine;
        threads = node.simulation().cluster().threads();
        present = new Processor[threads + 1];
    }

    private static int place(Lane lane) {
        return lane.processor() + 1;
    }

    @Override
    long begin(Lane lane) {
        Event event = lane.events().element().event();
        boolean isOfThread = lane.processor() != Lane.NO_PROCESSOR;
        Optional<SimThread> receiver = isOfThread ? Optional.empty() : receiver(event);
        long nanos = stepNanos(lane);
        Processor chosen;
        if (isOfThread || receiver.isPresent()) {
            int own = receiver.map(thread -> thread.id().thread()).orElse(lane.processor());
            chosen = node.processors().at(own);
        } else {
            chosen = byPolicy();
            boolean interrupts = event instanceof Event.MessageArrived && isInterrupted(chosen);
            nanos += interrupts ? interruptNanos() : 0;
        }
        present[place(lane)] = chosen;
        long start = Math.max(nowNanos(), chosen.workUntilNanos());
        long untilNanos = Math.max(start, node.pausedUntilNanos()) + nanos;
        chosen.handle(nanos, 0, untilNanos, nowNanos());
        return untilNanos;
    }

    /** The thread that waits for a message, if it is a reply. */
    private Optional<SimThread> receiver(Event event) {
        if (!(event instanceof Event.MessageArrived(var _, WireMessage message, long _))) {
            return Optional.empty();
        }
        return node.threads().stream().filter(thread -> awaits(thread, message)).findFirst();
    }

    /** Whether a message is a reply for which a thread waits. */
    private static boolean awaits(SimThread thread, WireMessage message) {
        boolean isInCall = thread.status() == SimThread.Status.WAITING;
        return switch (message) {
            case ProtocolMessage.Reply reply ->
                    thread.stoppedAt().filter(reply.pages()::contains).isPresent();
            case SyncMessage.LockGrant(LockId lock, var _) ->
                    thread.awaitedLock().filter(lock::equals).isPresent();
            case SyncMessage.BarrierDepart _,
                    SyncMessage.ShippedReply _,
                    SyncMessage.RefreshReply _ ->
                    isInCall && thread.awaitedLock().isEmpty();
            default -> false;
        };
    }

    private Processor byPolicy() {
        return switch (machine.policy()) {
            case STATIC -> node.processors().at(0);
            case ROUND_ROBIN -> node.processors().at(machine.turn(node.id().index(), threads));
            case DEDICATED -> node.processors().at(threads);
            case IDLE ->
                    node.processors()
                            .idle(threads)
                            .orElseGet(() -> node.processors().at(machine.any(threads)));
        };
    }

    private boolean isInterrupted(Processor chosen) {
        return switch (machine.policy()) {
            case STATIC, ROUND_ROBIN -> true;
            case DEDICATED -> false;
            case IDLE -> !chosen.isWaiting();
        };
    }

    private long interruptNanos() {
        SmpModel model = machine.model();
        return model.nanos(model.handlers().interruptCycles() + model.handlers().invokeCycles());
    }

    @Override
    void stepping(Lane lane) {
        sharing =
                lane.events().element().event() instanceof Event.BarrierReached
                        ? node.processors().usedFor(ProcessorUse.BARRIER_STALL)
                        : List.of();
    }

    @Override
    void addComparison(long nanos) {
        long each = nanos / Math.max(1, sharing.size());
        sharedNanos += each;
        add(each);
    }

    @Override
    void end(Lane lane) {
        Processor chosen = present[place(lane)];
        long untilNanos = nowNanos() + busyNanos();
        chosen.handle(busyNanos(), sendNanos, untilNanos, nowNanos());
        for (Processor each : sharing) {
            if (each != chosen) {
                each.handle(sharedNanos, 0, nowNanos() + sharedNanos, nowNanos());
            }
        }
        clear();
        sendNanos = 0;
        sharedNanos = 0;
        sharing = List.of();
    }

    @Override
    long effectDelayNanos() {
        return busyNanos();
    }

    @Override
    long sendsUntilNanos(int bytes) {
        long nanos = machine.sendPicos(node.id().index()) / SmpModel.NANO;
        add(nanos);
        sendNanos += nanos;
        return nowNanos() + busyNanos();
    }
}
