package io.muninn.verify.pool;

import io.muninn.pool.CoherentMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Searches all states that the nodes of a program can reach. A step is one operation on a word of
 * the map, a load or store of a word of a frame, or a lock taken or released; steps of different
 * nodes are in any order.
 *
 * <p><b>Checked.</b> A load returns the last value that was stored under its lock. At the end, the
 * frames have the last values, the mappers of each page are the nodes with a copy, and a copy that
 * is older than the frame has a notice. No node waits for ever.
 */
public final class PoolModel {
    private final PoolProgram program;
    private final Set<StateHash.Value> seen = new HashSet<>();
    private final Deque<State> next = new ArrayDeque<>();

    public PoolModel(PoolProgram program) {
        this.program = program;
    }

    /**
     * @param by the node whose step led here
     * @param from the state before; null for the first
     */
    private record State(PoolShared shared, List<PoolNode> nodes, int by, @Nullable State from) {
        StateHash.Value hash() {
            StateHash hash = new StateHash();
            shared.hash(hash);
            nodes.forEach(node -> node.hash(hash));
            return hash.value();
        }

        State behind(PoolShared changed, int by, PoolNode node) {
            List<PoolNode> all = new ArrayList<>(nodes);
            all.set(by, node);
            return new State(changed, all, by, this);
        }
    }

    /**
     * Searches all states.
     *
     * @return their number
     * @throws PoolViolation with the nodes of all steps in order, if a check fails
     */
    public int search() {
        reach(first());
        while (!next.isEmpty()) {
            State state = next.pop();
            try {
                expand(state);
            } catch (PoolViolation violation) {
                throw new PoolViolation(violation.getMessage() + "; steps of nodes " + path(state));
            }
        }
        return seen.size();
    }

    /** All nodes but the home map all pages, which are zero. */
    private State first() {
        PoolShared shared = new PoolShared(program);
        CoherentMap map = new CoherentMap(program.layout(), program.rules(), shared);
        List<PoolNode> nodes = new ArrayList<>();
        for (PoolProgram.Part part : program.nodes()) {
            PoolNode node = new PoolNode(program.pages() * PoolProgram.WORDS, part.sections());
            boolean isHome = nodes.size() == program.home();
            for (int page = 0; page < program.pages() && !isHome; page++) {
                node.mapped |= 1 << page;
                map.enter(nodes.size(), page);
                if (program.home() != PoolProgram.NO_HOME) {
                    map.tellHome(program.home(), page);
                }
            }
            nodes.add(node);
        }
        return new State(shared, nodes, 0, null);
    }

    private void reach(State state) {
        if (seen.add(state.hash())) {
            next.push(state);
        }
    }

    private void expand(State state) {
        boolean isLast = true;
        for (int i = 0; i < state.nodes().size(); i++) {
            PoolNode node = state.nodes().get(i);
            if (node.isWithin()) {
                isLast &= !step(state, i, node);
            } else if (node.left > 0) {
                for (int kind = 0; kind < program.nodes().get(i).kinds().size(); kind++) {
                    isLast &= !step(state, i, node.beginning(kind));
                }
            }
        }
        if (isLast) {
            checkEnd(state);
        }
    }

    /** Performs a step, unless the node waits for a lock. */
    private boolean step(State state, int self, PoolNode node) {
        PoolShared shared = state.shared().copy();
        PoolRun run = new PoolRun(program, shared, self, node);
        switch (run.perform()) {
            case PERFORMED -> reach(state.behind(shared, self, node.behind(run.results())));
            case LAST -> reach(state.behind(shared, self, run.node().ended()));
            case BLOCKED -> {
                return false;
            }
        }
        return true;
    }

    private void checkEnd(State state) {
        if (state.nodes().stream().anyMatch(node -> node.isWithin() || node.left > 0)) {
            throw new PoolViolation("nodes wait for ever");
        }
        if (!state.shared().isWrittenBack()) {
            throw new PoolViolation("frames lack stores");
        }
        for (int i = 0; i < state.nodes().size(); i++) {
            checkCopies(state, i);
        }
    }

    /** Acquires once more: copies that remain must be current. */
    private void checkCopies(State state, int self) {
        PoolShared shared = state.shared().copy();
        CoherentMap map = new CoherentMap(program.layout(), program.rules(), shared);
        PoolNode node = state.nodes().get(self);
        int[] kept = {node.mapped};
        map.takeList(self, page -> kept[0] &= ~(1 << page));
        for (int page = 0; page < program.pages(); page++) {
            boolean isChecked = (node.checked & 1 << page) != 0;
            if (isChecked && map.check(self, page)) {
                kept[0] &= ~(1 << page);
            }
            for (int at = page * PoolProgram.WORDS; at < (page + 1) * PoolProgram.WORDS; at++) {
                boolean isKept = (kept[0] & 1 << page) != 0;
                if (isKept && node.copies[at] != shared.frame(at)) {
                    throw new PoolViolation("node " + self + " keeps an old copy of page " + page);
                }
            }
        }
    }

    private static List<Integer> path(State last) {
        List<Integer> path = new ArrayList<>();
        for (State state = last; state.from() != null; state = state.from()) {
            path.add(state.by());
        }
        return path.reversed();
    }
}
