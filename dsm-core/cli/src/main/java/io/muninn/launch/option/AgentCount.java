package io.muninn.launch.option;

/**
 * How many agents serve the nodes of a host: the option {@code --agents}.
 *
 * @param most 0 for one agent per node
 */
public record AgentCount(int most) {
    public static final String HOST = "host";
    static final String NODE = "node";
    public static final AgentCount ONE = new AgentCount(1);

    /**
     * @throws IllegalArgumentException if the word is neither host, nor node, nor a number of 1 or
     *     more
     */
    static AgentCount parse(String word) {
        return switch (word) {
            case HOST -> ONE;
            case NODE -> new AgentCount(0);
            default -> {
                int number = word.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(word) : 0;
                if (number == 0) {
                    throw new IllegalArgumentException(
                            "'" + word + "' is not host, node, or a number of agents");
                }
                yield new AgentCount(number);
            }
        };
    }

    /** The number of agents for this many nodes; each agent has a node. */
    public int count(int nodes) {
        return most == 0 ? nodes : Math.min(most, nodes);
    }

    /** The nodes of the agent that serves most. */
    public int servedMost(int nodes) {
        return nodes < 1 ? 1 : Math.ceilDiv(nodes, count(nodes));
    }
}
