package io.muninn.agent.memory;

/**
 * The engine that a node uses.
 *
 * @param engine its name, as in {@code uffd+event}
 * @param why the reason of the choice, for messages
 * @param systemCallsWait whether a system call on an absent page waits for the page
 */
public record EngineChoice(String engine, String why, boolean systemCallsWait) {}
