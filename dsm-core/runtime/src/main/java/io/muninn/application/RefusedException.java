package io.muninn.application;

import io.muninn.api.DsmException;

/** The agent or the cluster refuses this process; the text gives the reason. */
final class RefusedException extends DsmException {
    private static final long serialVersionUID = 1L;

    RefusedException(String reason) {
        super(reason);
    }
}
