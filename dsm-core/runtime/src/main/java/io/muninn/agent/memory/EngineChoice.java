package io.muninn.agent.memory;

/**
 * Which engine a node takes.
 *
 * @param engine its word, as in {@code uffd+event}
 * @param why for people
 * @param systemCallsWait whether a system call on a page that is elsewhere waits for it
 */
public record EngineChoice(String engine, String why, boolean systemCallsWait) {}
