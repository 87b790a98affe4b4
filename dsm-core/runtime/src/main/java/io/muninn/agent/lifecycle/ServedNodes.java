package io.muninn.agent.lifecycle;

import java.util.OptionalInt;

/**
 * The nodes that one agent serves, in sentences for the user.
 *
 * @param first the lowest, 0-based
 * @param last the highest
 */
public record ServedNodes(int first, int last) {
    /** Only this node. */
    public static ServedNodes of(int node) {
        return new ServedNodes(node, node);
    }

    public int count() {
        return last - first + 1;
    }

    public boolean hasRoot() {
        return first == 0;
    }

    /** The node, if it is the only one. */
    public OptionalInt only() {
        return first == last ? OptionalInt.of(first) : OptionalInt.empty();
    }

    /** As in "node 3 is lost: its agent was killed". */
    public String are(String what, String agentWas) {
        return this + (first == last ? " is " : " are ") + what + ": " + agent() + " " + agentWas;
    }

    /** As in "its agent". */
    public String agent() {
        return first == last ? "its agent" : "their agent";
    }

    @Override
    public String toString() {
        return first == last ? "node " + first : "nodes " + first + " to " + last;
    }
}
