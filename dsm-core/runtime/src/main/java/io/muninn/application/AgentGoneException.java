package io.muninn.application;

import io.muninn.api.DsmException;

/** This process's agent has ended, or does not answer: the node is lost. */
final class AgentGoneException extends DsmException {
    private static final long serialVersionUID = 1L;

    AgentGoneException(Throwable cause) {
        super("its agent is gone: " + cause.getMessage(), cause);
    }
}
