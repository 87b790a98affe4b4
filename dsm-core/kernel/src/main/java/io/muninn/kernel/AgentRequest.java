package io.muninn.kernel;

/**
 * Something that agents alone have to do before a node can go on, whatever the threads of the
 * program do meanwhile.
 *
 * @param key equal to the key of no other request
 * @param text for the user, as in "the release of lock 'a'"
 */
public record AgentRequest(Object key, String text) {
    /** One call of several that may be equal. */
    private record Instance(Object call) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Instance(var another) && call == another;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(call);
        }
    }

    /** A call; a thread may make equal ones in succession, each of which is answered. */
    static AgentRequest ofCall(Object call) {
        return new AgentRequest(new Instance(call), "call " + call);
    }
}
