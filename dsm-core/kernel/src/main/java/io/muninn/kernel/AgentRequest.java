package io.muninn.kernel;

/**
 * Something that agents alone have to do before a node can go on, whatever the threads of the
 * program do meanwhile.
 *
 * @param key equal to the key of no other request
 * @param text for the user, as in "the release of lock 'a'"
 */
public record AgentRequest(Object key, String text) {}
