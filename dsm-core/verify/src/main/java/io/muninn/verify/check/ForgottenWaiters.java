package io.muninn.verify.check;

import io.muninn.directory.PageSnapshot;
import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.FaultKind;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.SimThread.Status;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.TimerId;
import io.muninn.wire.WireMessage;
import java.util.List;
import java.util.Optional;

/**
 * No thread waits for an event that will not occur. The simulation detects this when no action is
 * planned; this checker detects it earlier, after a step of the waiter's node:
 *
 * <ul>
 *   <li>if a thread is stopped at a page, and its agent has received the fault, the page is in a
 *       state that waits for an answer or a flush of another node, or for the end of a withdrawal,
 *       and is not poisoned
 *   <li>if a page waits for an answer, the request or the answer is in transit, or a node has
 *       deferred the request and will resume it, see {@link OutstandingRequests}
 *   <li>if a thread waits for a lock, its node has requested the token, or is passing it on, or
 *       another thread of the node holds the lock and will call when it releases
 *   <li>if a thread waits at a barrier, the barrier is not broken
 *   <li>if a thread waits at a condition, a request of its node is pending, or the thread is in the
 *       condition's queue on the root, or a message that ends its wait is in transit
 * </ul>
 */
final class ForgottenWaiters extends PageChecker {
    static final String NAME = "waiters";

    private final OutstandingRequests requests;
    private final ConditionMessages conditionMessages;
    private final PerPage<int[]> unheard = // faults in transit to their agent, by node
            new PerPage<>(_ -> new int[overview().nodes()]);
    private WaitingCalls[] waits = {}; // by node

    ForgottenWaiters(ClusterView overview) {
        super(overview);
        requests = new OutstandingRequests(overview);
        conditionMessages = new ConditionMessages();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        conditionMessages.onStart(simulation);
        waits = new WaitingCalls[simulation.cluster().nodes()];
        for (int i = 0; i < waits.length; i++) {
            waits[i] = new WaitingCalls(simulation.cluster());
        }
    }

    @Override
    public void onFault(SimThread thread, PageId page, FaultKind kind) {
        unheard.of(page)[thread.node().id().index()]++;
    }

    @Override
    public void onFaultAgain(SimThread thread, PageId page) {
        unheard.of(page)[thread.node().id().index()]++;
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        if (event instanceof Event.FaultRaised(_, PageId page, _, _, long _)) {
            unheard.of(page)[node.id().index()]--;
        }
        of(node).beforeStep(event);
        requests.beforeStep(node, event);
        conditionMessages.beforeStep(node, event);
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        of(node).afterStep(effects);
        requests.afterStep(node, event, effects);
        conditionMessages.afterStep(node, effects);
        checkCalls(node, of(node));
        if (node.id().isRoot()) {
            for (SimNode each : overview().simulation().nodes()) {
                checkConditions(each);
            }
        } else {
            checkConditions(node);
        }
        super.afterStep(node, event, effects);
    }

    private void checkCalls(SimNode node, WaitingCalls of) {
        for (int i = 0; i < of.threads(); i++) {
            LockId lock = of.lock(i);
            if (lock != null) {
                String state = node.view().lockState(lock);
                if (state.equals("Away") || state.equals("Kept") || state.equals("Lent")) {
                    throw violation(
                            node.thread(i)
                                    + " waits for lock '"
                                    + lock
                                    + "', which is "
                                    + state
                                    + " there: nobody will wake it");
                }
            }
            BarrierId barrier = of.barrier(i);
            if (barrier != null && !node.view().barrierState(barrier).equals("Whole")) {
                throw violation(
                        node.threads().get(i)
                                + " waits at barrier '"
                                + barrier
                                + "', which is "
                                + node.view().barrierState(barrier)
                                + " there: nobody will wake it");
            }
        }
    }

    private void checkConditions(SimNode node) {
        WaitingCalls of = of(node);
        for (int i = 0; i < of.threads(); i++) {
            ConditionId condition = of.condition(i);
            if (condition != null && overview().isWhole() && !isRemembered(node, i, condition)) {
                SimThread thread = node.threads().get(i);
                throw violation(
                        thread
                                + " waits at condition '"
                                + condition
                                + "' and is "
                                + node.view().conditionState(thread.id())
                                + " there: nobody will wake it");
            }
        }
    }

    private boolean isRemembered(SimNode node, int thread, ConditionId condition) {
        boolean isUnderway =
                node.id().isRoot() || conditionMessages.isUnderway(node.id().index(), thread);
        return switch (node.view().conditionState(node.threads().get(thread).id())) {
            case "Flushing" -> true; // the pages for which it waits are checked above
            case "Queueing", "Cancelling", "Signalling" -> isUnderway;
            case "Waiting" ->
                    overview()
                                    .node(0)
                                    .view()
                                    .conditionManager()
                                    .isQueued(condition, node.id(), thread)
                            || conditionMessages.isUnderway(node.id().index(), thread);
            default -> false;
        };
    }

    @Override
    protected void check(PageId page) {
        for (int i = 0; i < overview().nodes(); i++) {
            SimNode node = overview().node(i);
            if (!node.isDead()) {
                checkStopped(node, page);
            }
        }
        if (overview().isWhole()) {
            Optional<String> wrong = requests.check(page);
            if (wrong.isPresent()) {
                throw violation(wrong.get());
            }
        }
    }

    private void checkStopped(SimNode node, PageId page) {
        if (unheard.of(page)[node.id().index()] > 0
                || overview().simulation().failure().isPresent()
                || node.isEntering(page)
                || waitsForAnswer(node, page) && !node.pages().isPoisoned(page)) {
            return;
        }
        for (SimThread thread : node.threads()) {
            checkStopped(thread, page);
        }
        for (SimThread thread : node.ownThreads()) {
            checkStopped(thread, page);
        }
    }

    private void checkStopped(SimThread thread, PageId page) {
        if (thread.status() == Status.FAULTED
                && thread.isStoppedAt(page)
                && !waitsForView(thread, page)) {
            SimNode node = thread.node();
            throw violation(
                    thread
                            + " stands at "
                            + node.describe(page)
                            + " with access "
                            + node.pages().access(page)
                            + ", its agent has heard of it, and nobody will wake it");
        }
    }

    /**
     * True if the content of a page does not satisfy the view of a thread's process. The page's
     * home will then receive a flush, or the page is taken when a withdrawal or the hold time is
     * over.
     */
    private boolean waitsForView(SimThread thread, PageId page) {
        SimNode node = thread.node();
        int at = node.id().index();
        PageSnapshot snapshot = overview().snapshot(at, page);
        boolean isStale = snapshot.stale().contains(thread.process());
        return !snapshot.leaving().isEmpty()
                || node.isArmed(new TimerId.HoldOver(page))
                || isStale && overview().contract(at, page).is(Mark.WHOLE);
    }

    private boolean waitsForAnswer(SimNode node, PageId page) {
        ProtocolTraits.State contract = overview().contract(node.id().index(), page);
        return contract.is(Mark.THREADS_WAIT)
                || contract.is(Mark.AWAITS_WITHDRAWAL)
                || contract.is(Mark.AWAITS_UPDATES)
                || contract.is(Mark.AWAITS_FLUSH) && node.pages().isDiffSaved(page);
    }

    @Override
    public void onOwnMessage(SimNode node, WireMessage message) {
        of(node).onOwnMessage(message);
    }

    private WaitingCalls of(SimNode node) {
        return waits[node.id().index()];
    }
}
