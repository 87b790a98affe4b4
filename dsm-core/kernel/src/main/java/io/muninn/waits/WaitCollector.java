package io.muninn.waits;

import io.muninn.model.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The root's search for threads that wait for ever. It asks all nodes for their waits when a wait
 * lasts, twice if some may never end, as {@link WaitGraph} needs it, and a third time for the
 * places in the program where the threads stand.
 *
 * <pre>
 *          a wait lasts   all have answered                         time
 * Idle     ask, →First    impossible                                impossible
 * First    –              a message is missing: end the run,        impossible
 *                         →Ended; nobody stuck: arm, →Rest; else
 *                         arm, →Pause
 * Pause    –              impossible                                ask, →Second
 * Second   –              nobody stuck: arm, →Rest; else ask for    impossible
 *                         lines, →Lines
 * Lines    –              nobody stuck: arm, →Rest; an unknown      impossible
 *                         thread may interrupt: warn, arm, →Rest;
 *                         else end the run, →Ended
 * Rest     –              impossible                                →Idle
 * Ended    –              –                                         –
 * </pre>
 *
 * A message is missing if nodes have sent more than has arrived, and in all answers of some time
 * the same: nobody has sent or received anything meanwhile.
 *
 * <p>An answer to an earlier question is ignored. Questions for a description, which the user wants
 * to see, have numbers of their own and change no state.
 */
public final class WaitCollector {
    /** Time between the first question and the second. */
    static final long PAUSE_NANOS = 500_000_000;

    /** Time after which it asks again, if a wait still lasts. */
    static final long REST_NANOS = 1_000_000_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** What it has others do. */
    public interface Actions {
        /**
         * Asks every node for its waits.
         *
         * @param number to be returned with the answer
         * @param withLines whether the answers name the places where threads stand
         */
        void ask(int number, boolean withLines);

        /** Calls {@link #onTime} after a delay. */
        void arm(long delayNanos);

        /** Ends the run: its threads wait for each other. */
        void endRun(String text);

        /** Ends the run: a message between nodes was lost. */
        void endOfLoss(String text);

        /**
         * Shows the user all waits.
         *
         * @param lines one for each thread that waits
         */
        void tell(List<String> lines);

        /** Tells the user what would end the run if other threads could not change it. */
        void warn(String text);
    }

    private enum State {
        IDLE,
        FIRST,
        PAUSE,
        SECOND,
        LINES,
        REST,
        ENDED
    }

    private final int nodes;
    private final Actions actions;
    private final TreeMap<NodeId, NodeWaits> answers = new TreeMap<>();
    private State state = State.IDLE;
    private List<NodeWaits> before = List.of(); // all answers to the question before the last
    private Optional<String> warned = Optional.empty();
    private int number;
    private final TreeMap<NodeId, NodeWaits> descriptions = new TreeMap<>();
    private int describing; // the number of the last question for a description: 0, -1, ...
    private boolean isDescribing;

    private final long missingNanos;
    private long sentBefore;
    private long receivedBefore;
    private int sameRounds; // first questions in a row whose answers count the same messages

    /**
     * @param nodes number of nodes that answer
     * @param missingNanos time after which a message that has not arrived is missing
     */
    public WaitCollector(int nodes, long missingNanos, Actions actions) {
        this.nodes = nodes;
        this.missingNanos = missingNanos;
        this.actions = actions;
    }

    /**
     * Asks for all waits, to show them, beside the search. Called while an answer is missing, it
     * does nothing.
     */
    public void describe() {
        if (!isDescribing) {
            isDescribing = true;
            descriptions.clear();
            actions.ask(--describing, true);
        }
    }

    private void onDescription(NodeWaits answer) {
        descriptions.put(answer.node(), answer);
        if (isDescribing && descriptions.size() == nodes) {
            isDescribing = false;
            actions.tell(WaitGraph.describe(List.copyOf(descriptions.values())));
        }
    }

    /** Called when a wait of some node lasts, any number of times. */
    public void onLasting() {
        if (state == State.IDLE) {
            ask(State.FIRST);
        }
    }

    /** Called when the time is over that it has armed. */
    public void onTime() {
        switch (state) {
            case PAUSE -> ask(State.SECOND);
            case REST -> state = State.IDLE;
            case IDLE, FIRST, SECOND, LINES, ENDED ->
                    throw new IllegalStateException(state + " and the end of a time");
        }
    }

    private void ask(State next) {
        answers.clear();
        state = next;
        number++;
        actions.ask(number, next == State.LINES);
    }

    /** Called with the answer of a node to a question. */
    public void onAnswer(int toNumber, NodeWaits answer) {
        if (toNumber == describing) {
            onDescription(answer);
            return;
        }
        boolean isAwaited = state == State.FIRST || state == State.SECOND || state == State.LINES;
        if (!isAwaited || toNumber != number) {
            return;
        }
        answers.put(answer.node(), answer);
        if (answers.size() < nodes) {
            return;
        }
        List<NodeWaits> all = List.copyOf(answers.values());
        if (state == State.FIRST && isMissing(all)) {
            state = State.ENDED;
            actions.endOfLoss(missingText(all));
            return;
        }
        WaitGraph.Stuck stuck = WaitGraph.find(state == State.FIRST ? all : before, all);
        if (stuck.isEmpty()) {
            rest();
        } else if (state == State.FIRST) {
            before = all;
            state = State.PAUSE;
            actions.arm(PAUSE_NANOS);
        } else if (state == State.SECOND) {
            ask(State.LINES); // compared with the first answers, too
        } else {
            conclude(stuck.text(), all);
        }
    }

    /** Questions are at least {@link #REST_NANOS} apart. */
    private boolean isMissing(List<NodeWaits> all) {
        long sent = all.stream().mapToLong(NodeWaits::sent).sum();
        long received = all.stream().mapToLong(NodeWaits::received).sum();
        boolean isSame = sent == sentBefore && received == receivedBefore && sent > received;
        sentBefore = sent;
        receivedBefore = received;
        sameRounds = isSame ? sameRounds + 1 : 0;
        return sameRounds * REST_NANOS > missingNanos;
    }

    private String missingText(List<NodeWaits> all) {
        return "of "
                + sentBefore
                + " messages, "
                + receivedBefore
                + " have arrived, and none for more than "
                + missingNanos / NANOS_PER_MILLI
                + " ms, while all nodes send heartbeats: a message was lost or forged on its way."
                + " Meanwhile:\n  "
                + String.join("\n  ", WaitGraph.describe(all));
    }

    private void conclude(String text, List<NodeWaits> all) {
        List<String> strangers = all.stream().flatMap(node -> node.strangers().stream()).toList();
        if (strangers.isEmpty()) {
            state = State.ENDED;
            actions.endRun(text);
            return;
        }
        String warning =
                text
                        + "\n  The run goes on, because threads that are not of the nodes may"
                        + " interrupt them: "
                        + String.join(", ", strangers);
        if (!warned.equals(Optional.of(warning))) {
            warned = Optional.of(warning);
            actions.warn(warning);
        }
        rest();
    }

    private void rest() {
        state = State.REST;
        actions.arm(REST_NANOS);
    }
}
