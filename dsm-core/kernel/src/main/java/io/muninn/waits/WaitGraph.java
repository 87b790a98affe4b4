package io.muninn.waits;

import io.muninn.model.ObjectId;
import io.muninn.spi.Event;
import io.muninn.waits.Awaited.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds threads whose waits cannot end, in what all nodes say about one moment. A thread goes on if
 * it runs, if its wait has a time limit, or if what it waits for is done by threads that go on; all
 * others are stuck.
 *
 * <pre>
 * waits for                     goes on if
 * lock                          no holder is stuck
 * lock to write                 no holder is stuck
 * lock to read                  its writer is not stuck; quiet: nor any that waits to write
 * object's reply                quiet: the thread that runs a call of it is not stuck
 * barrier, signal, message,     quiet: any thread goes on
 *   room
 * remote word                   always: its home looks at it now and then
 * </pre>
 *
 * Where a cell says <i>quiet</i>, a thread goes on in any case if the system is not. A thread that
 * waits at a barrier is not stuck as long as another one goes on, even if a missing one is stuck:
 * who comes later may wait with a time limit, which breaks the barrier. A run in which all threads
 * wait at barriers is the business of the barriers' manager, which breaks them.
 *
 * <p><b>Why that is right.</b> Nodes are asked twice, and only waits that both answers of their
 * node contain are considered. All these waits existed between the two questions, and so did the
 * locks that their threads hold: a thread that waits releases none. A lock that a waiting thread
 * holds is on the way to nobody. A message that is under way may have ended any other wait. So such
 * a wait is stuck only if the system is quiet: in each answer, all messages that nodes had sent had
 * arrived; none was sent between the answers; and no node was about to send one.
 */
public final class WaitGraph {
    private record Place(NodeWaits node, ThreadWait waiter) {}

    private final List<NodeWaits> nodes;
    private final boolean isQuiet;
    private final List<Place> stuck = new ArrayList<>();
    private final Set<Hold> heldByStuck = new LinkedHashSet<>();
    private final Set<Hold> heldByIdle = new LinkedHashSet<>(); // by threads that serve others
    private final Set<String> awaitedToWrite = new LinkedHashSet<>(); // by stuck threads
    private int going; // threads that go on, except those that serve others

    private WaitGraph(List<NodeWaits> nodes, boolean isQuiet) {
        this.nodes = nodes;
        this.isQuiet = isQuiet;
        for (NodeWaits node : nodes) {
            going += node.running();
            for (ThreadWait each : node.waits()) {
                if (each.on().needsOthers()) {
                    stuck.add(new Place(node, each));
                } else if (each.on().kind() == Kind.REQUEST) {
                    heldByIdle.addAll(each.holds());
                } else {
                    going++;
                }
            }
        }
        int before = -1;
        while (before != stuck.size()) {
            before = stuck.size();
            noteStuck();
            stuck.removeIf(this::goesOn);
            going += before - stuck.size();
        }
    }

    /** Notes what the threads keep from others that are stuck for all that is known so far. */
    private void noteStuck() {
        heldByStuck.clear();
        awaitedToWrite.clear();
        for (Place each : stuck) {
            heldByStuck.addAll(each.waiter().holds());
            if (each.waiter().on().kind() == Kind.WRITE) {
                awaitedToWrite.add(each.waiter().on().name());
            }
        }
    }

    /** Threads that never go on, and why. */
    public record Stuck(List<String> lines, boolean isEveryone) {
        /** True if there is none. */
        public boolean isEmpty() {
            return lines.isEmpty();
        }

        /** One line for the whole run, then one for each thread. */
        public String text() {
            return (isEveryone
                            ? "no thread of the program can go on:"
                            : "threads wait for each other and cannot go on:")
                    + "\n  "
                    + String.join("\n  ", lines);
        }
    }

    /**
     * Finds the threads that never go on.
     *
     * @param first the answers of all nodes to the first question
     * @param second to a later one, in the same order
     */
    public static Stuck find(List<NodeWaits> first, List<NodeWaits> second) {
        List<NodeWaits> lasting = new ArrayList<>();
        for (int i = 0; i < second.size(); i++) {
            lasting.add(lasting(first.get(i), second.get(i)));
        }
        return new WaitGraph(
                        lasting, isQuiet(first) && isQuiet(second) && sent(first) == sent(second))
                .result();
    }

    /** Finds the threads that never go on, at a moment at which nothing happens. */
    public static Stuck find(List<NodeWaits> nodes, boolean isQuiet) {
        return new WaitGraph(nodes, isQuiet).result();
    }

    /** A line for each thread that waits for others, whether it goes on or not. */
    public static List<String> describe(List<NodeWaits> nodes) {
        WaitGraph graph = new WaitGraph(nodes, false);
        List<String> lines = new ArrayList<>();
        for (NodeWaits node : nodes) {
            for (ThreadWait each : node.waits()) {
                if (each.on().kind() != Kind.REQUEST) {
                    lines.add(graph.line(new Place(node, each)));
                }
            }
        }
        return lines;
    }

    /** What waits in both answers of a node; threads with other waits run. */
    private static NodeWaits lasting(NodeWaits first, NodeWaits second) {
        if (first == second) {
            return second;
        }
        List<ThreadWait> both = new ArrayList<>();
        for (ThreadWait each : second.waits()) {
            boolean lasts =
                    first.waitOf(each.thread())
                            .filter(before -> before.number() == each.number())
                            .isPresent();
            if (lasts || each.on().kind() == Kind.REQUEST) {
                both.add(each);
            }
        }
        return new NodeWaits(
                second.node(),
                second.shape(),
                second.running() + second.waits().size() - both.size(),
                second.sent(),
                second.received(),
                second.isSettled(),
                both,
                second.strangers());
    }

    private static boolean isQuiet(List<NodeWaits> nodes) {
        long received = nodes.stream().mapToLong(NodeWaits::received).sum();
        return nodes.stream().allMatch(NodeWaits::isSettled) && received == sent(nodes);
    }

    private static long sent(List<NodeWaits> nodes) {
        return nodes.stream().mapToLong(NodeWaits::sent).sum();
    }

    private boolean goesOn(Place place) {
        Awaited wait = place.waiter().on();
        return switch (wait.kind()) {
            case LOCK, WRITE -> !isHeldByStuck(wait);
            case READ -> !isHeldByStuck(wait) && !isBehindStuckWriter(wait);
            case CALL -> !isQuiet || !isHeldByStuck(turnOf(wait));
            case BARRIER, GATHER, SIGNAL, MESSAGE, SEND -> !isQuiet || going > 0;
            case WORD, REQUEST, AGENT, ACCEPTANCE -> true;
        };
    }

    private static Awaited turnOf(Awaited call) {
        return new Awaited(Kind.LOCK, new ObjectId(call.name()).turn().name(), 0, 0, false);
    }

    /**
     * True if a stuck thread holds the lock; or, where nobody is left to call it, a thread that
     * serves others: it would release the lock when it is called.
     */
    private boolean isHeldByStuck(Awaited wait) {
        return isBlocked(wait, heldByStuck) || isQuiet && going == 0 && isBlocked(wait, heldByIdle);
    }

    private static boolean isBlocked(Awaited wait, Set<Hold> holds) {
        return !holds.isEmpty() && Hold.blocking(wait).stream().anyMatch(holds::contains);
    }

    private List<Place> holders(Awaited wait) {
        List<Hold> blocking = Hold.blocking(wait);
        List<Place> found = new ArrayList<>();
        for (NodeWaits node : nodes) {
            for (ThreadWait each : node.waits()) {
                if (each.holds().stream().anyMatch(blocking::contains)) {
                    found.add(new Place(node, each));
                }
            }
        }
        return found;
    }

    private boolean isBehindStuckWriter(Awaited read) {
        return isQuiet && awaitedToWrite.contains(read.name());
    }

    /** A thread of a node. */
    private record Missing(NodeWaits node, int thread) {}

    /** The threads that have not arrived at the barrier of all at which a thread waits. */
    private List<Missing> missing(Place place) {
        String barrier = place.waiter().on().name();
        List<Missing> found = new ArrayList<>();
        for (NodeWaits node : nodes) {
            for (int thread = 0; thread < node.shape().count(); thread++) {
                boolean isItself = node == place.node() && thread == place.waiter().thread();
                boolean isHere =
                        node.waitOf(thread).filter(each -> each.on().isAt(barrier)).isPresent();
                if (!isItself && !isHere) {
                    found.add(new Missing(node, thread));
                }
            }
        }
        return found;
    }

    private Stuck result() {
        boolean isAtBarriers =
                stuck.stream()
                        .allMatch(each ->
                                each.waiter().on().kind() == Kind.BARRIER
                                        || each.waiter().on().kind() == Kind.GATHER);
        return new Stuck(
                isAtBarriers ? List.of() : stuck.stream().map(this::line).toList(), going == 0);
    }

    /** As in "thread 0 of node 1 waits for lock 'a', which thread 0 of node 0 holds; at …". */
    private String line(Place place) {
        Awaited wait = place.waiter().on();
        StringBuilder text = new StringBuilder(place.node().name(place.waiter().thread()));
        if (wait.isEnd()) {
            text.append(" has ended");
        } else {
            text.append(" waits for ").append(wait.text()).append(reason(place, wait));
        }
        List<String> holds = place.waiter().holds().stream().map(Hold::text).toList();
        if (!holds.isEmpty()) {
            text.append(wait.isEnd() ? " and still holds " : "; it holds ");
            text.append(String.join(", ", holds));
        }
        if (!place.waiter().line().isEmpty() && !wait.isEnd()) {
            text.append("; at ").append(place.waiter().line());
        }
        return text.toString();
    }

    /** As in ", which thread 0 of node 0 holds", or nothing. */
    private String reason(Place place, Awaited wait) {
        return switch (wait.kind()) {
            case LOCK, READ, WRITE -> heldBy(holders(wait));
            case BARRIER, GATHER ->
                    wait.number() == Event.ALL_PARTIES && !wait.isEnd()
                            ? missingAt(missing(place))
                            : wait.number() == Event.ALL_PARTIES
                                    ? ""
                                    : " of " + wait.number() + " threads";
            default -> "";
        };
    }

    private String heldBy(List<Place> holders) {
        if (holders.isEmpty()) {
            return "";
        }
        List<String> names =
                holders.stream().map(each -> each.node().name(each.waiter().thread())).toList();
        return ", which " + and(names) + (names.size() == 1 ? " holds" : " hold");
    }

    private static final int NAMES_MAX = 4;

    private String missingAt(List<Missing> missing) {
        Map<String, Boolean> names = new LinkedHashMap<>(); // whether its thread has ended
        for (Missing each : missing) {
            names.put(
                    each.node().name(each.thread()),
                    each.node().waitOf(each.thread()).filter(it -> it.on().isEnd()).isPresent());
        }
        if (names.isEmpty()) {
            return "";
        }
        List<String> said =
                names.entrySet().stream()
                        .map(each -> each.getKey() + (each.getValue() ? ", which has ended" : ""))
                        .toList();
        return ", which has no arrival of " + and(said);
    }

    private static String and(List<String> names) {
        if (names.size() > NAMES_MAX) {
            return String.join(", ", names.subList(0, NAMES_MAX))
                    + " and "
                    + (names.size() - NAMES_MAX)
                    + " more";
        }
        int last = names.size() - 1;
        return last == 0
                ? names.getFirst()
                : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
    }
}
