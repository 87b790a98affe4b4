package io.muninn.agent.lifecycle;

import io.muninn.agent.NodeMachine;
import io.muninn.agent.calls.CallConnection;
import io.muninn.model.NodeId;
import io.muninn.spi.Event;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.loop.Cancellable;
import io.muninn.waits.Awaited;
import io.muninn.waits.NodeWaits;
import io.muninn.waits.ThreadWait;
import io.muninn.waits.WaitCollector;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import io.muninn.wire.MalformedMessageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A node's part in the search for threads that wait for ever: it tells the root of waits that last,
 * and answers its questions. The root's part is a {@link WaitCollector}.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class LastingWaits {
    /** Time after which a wait lasts: at least one such time, at most two. */
    private static final long LOOK_NANOS = 500_000_000;

    /** Time in which an application names the places where its threads stand. */
    private static final long PLACES_NANOS = 2_000_000_000;

    /** Time in which all nodes are expected to describe their waits before a run is ended. */
    private static final long TELL_NANOS = 1_500_000_000;

    private final LifeCycle life;
    private final AgentEventLoop loop;
    private final WaitCollector collector;
    private final Map<Integer, CallConnection> askable = new LinkedHashMap<>(); // by process
    private Optional<Question> open = Optional.empty(); // waits for places
    private Set<Event.Waiting> before = Set.of(); // the waits at the last look, by identity
    private List<String> told = List.of(); // the last description
    private boolean isWanted; // by the user, also if no thread waits
    private Optional<Runnable> onceTold = Optional.empty();

    /** A question whose answer names places. */
    private static final class Question {
        final int number;
        final Map<Integer, String> places = new HashMap<>(); // by thread
        final List<String> strangers = new ArrayList<>();
        final Set<Integer> missing; // processes
        Cancellable limit = () -> {};

        Question(int number, Set<Integer> missing) {
            this.number = number;
            this.missing = new HashSet<>(missing);
        }
    }

    LastingWaits(LifeCycle life, AgentEventLoop loop) {
        this.life = life;
        this.loop = loop;
        Duration missing =
                life.config().membership().heartbeatLimit().multipliedBy(UnansweredRequests.LIMITS);
        collector = new WaitCollector(life.config().nodes(), missing.toNanos(), new Root());
    }

    /** Called when the run has started. */
    void start() {
        loop.schedule(lookNanos(), this::look);
    }

    private boolean tellsOnly() {
        return !life.config().output().stall().isZero();
    }

    private long lookNanos() {
        return tellsOnly() ? life.config().output().stall().toNanos() : LOOK_NANOS;
    }

    private void look() {
        if (life.phase() instanceof Phase.Undecided now) {
            loop.schedule(lookNanos(), this::look);
            Set<Event.Waiting> waits = Collections.newSetFromMap(new IdentityHashMap<>());
            waits.addAll(now.machine().calls());
            boolean lasts =
                    waits.stream()
                            .anyMatch(call ->
                                    before.contains(call) && Awaited.of(call).needsOthers());
            before = waits;
            if (lasts) {
                now.machine().cluster().waitsLast();
            }
        }
    }

    // ---- questions to this node ----

    /** An application has named places, or is ready to; it waits for the next question. */
    void onPlaces(CallConnection caller, String places) {
        int process = life.processOf(caller);
        askable.put(process, caller);
        if (open.isPresent() && open.get().missing.remove(process)) {
            Question question = open.get();
            places.lines().forEach(line -> note(question, line));
            if (question.missing.isEmpty()) {
                question.limit.cancel();
                answer(question);
            }
        }
    }

    private static void note(Question question, String line) {
        int space = line.indexOf(' ');
        try {
            int thread = Integer.parseInt(line.substring(0, Math.max(space, 0)));
            String place = line.substring(space + 1);
            if (thread < 0) {
                question.strangers.add(place);
            } else {
                question.places.put(thread, place);
            }
        } catch (NumberFormatException wrong) {
            throw new MalformedMessageException("a place: " + wrong.getMessage());
        }
    }

    /** The root asks. */
    void onAsked(int number, boolean withLines) {
        Question question = new Question(number, withLines ? askable.keySet() : Set.of());
        if (question.missing.isEmpty() || open.isPresent()) {
            answer(question);
            return;
        }
        open = Optional.of(question);
        question.limit = loop.patience(PLACES_NANOS, () -> answer(question));
        List<CallConnection> asked = List.copyOf(askable.values());
        askable.clear();
        asked.forEach(each -> each.done(0));
    }

    private void answer(Question question) {
        open = open.filter(each -> each != question);
        if (!(life.phase() instanceof Phase.WithMemory attached)) {
            return;
        }
        NodeMachine machine = attached.machine();
        NodeWaits waits = machine.waits();
        List<ThreadWait> placed =
                waits.waits().stream()
                        .map(each -> each.at(question.places.getOrDefault(each.thread(), "")))
                        .toList();
        ByteWriter bytes = new ByteWriter();
        waits.with(placed, question.strangers).write(bytes);
        machine.cluster().waits(question.number, bytes.toArray());
    }

    // ---- the root ----

    /** On the root: a wait of some node lasts. */
    void onLasting() {
        if (life.phase() instanceof Phase.Running || life.phase() instanceof Phase.Closing) {
            if (tellsOnly()) {
                collector.describe();
            } else {
                collector.onLasting();
            }
        }
    }

    /**
     * On the root: shows the waits of all nodes.
     *
     * @param then called when they are shown, or after some time without all answers
     */
    void tell(Runnable then) {
        if (!(life.phase() instanceof Phase.Running || life.phase() instanceof Phase.Closing)) {
            then.run();
            return;
        }
        told = List.of();
        onceTold = Optional.of(then);
        loop.schedule(TELL_NANOS, this::endTelling);
        collector.describe();
    }

    /** On the root: shows the waits of all nodes, or says that there are none. */
    void tell() {
        if (life.phase() instanceof Phase.Running || life.phase() instanceof Phase.Closing) {
            told = List.of();
            isWanted = true;
            collector.describe();
        } else {
            life.warn("waits: the nodes have not joined, or have ended");
        }
    }

    private void endTelling() {
        Optional<Runnable> then = onceTold;
        onceTold = Optional.empty();
        then.ifPresent(Runnable::run);
    }

    /**
     * On the root: a node has answered.
     *
     * @throws MalformedMessageException if the content is malformed
     */
    void onAnswer(NodeId from, int number, byte[] content) {
        ByteReader bytes = new ByteReader(content);
        NodeWaits waits = NodeWaits.read(bytes);
        if (!waits.node().equals(from) || bytes.remaining() > 0) {
            throw new MalformedMessageException("waits of node " + waits.node());
        }
        if (life.phase() instanceof Phase.Undecided) {
            collector.onAnswer(number, waits);
        }
    }

    /** What the collector has others do. */
    private final class Root implements WaitCollector.Actions {
        @Override
        public void ask(int number, boolean withLines) {
            if (life.phase() instanceof Phase.Undecided now) {
                now.machine().cluster().askWaits(number, withLines);
            }
        }

        @Override
        public void arm(long delayNanos) {
            loop.schedule(
                    delayNanos,
                    () -> {
                        if (life.phase() instanceof Phase.Undecided) {
                            collector.onTime();
                        }
                    });
        }

        @Override
        public void endRun(String text) {
            life.failRun(text);
        }

        @Override
        public void endOfLoss(String text) {
            life.loseSelf(text);
        }

        @Override
        public void tell(List<String> lines) {
            if (lines.isEmpty() && isWanted) {
                life.warn("waits: no thread waits for another");
            }
            isWanted = false;
            if (!lines.equals(told)) {
                told = lines;
                life.warn("waits:\n  " + String.join("\n  ", lines));
            }
            endTelling();
        }

        @Override
        public void warn(String text) {
            life.warn("warning: " + text);
        }
    }
}
