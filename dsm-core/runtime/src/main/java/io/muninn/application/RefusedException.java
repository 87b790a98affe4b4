package io.muninn.application;

import io.muninn.api.DsmException;

/** The agent or the cluster does not let this process take part; the text says all there is. */
final class RefusedException extends DsmException {
    private static final long serialVersionUID = 1L;

    RefusedException(String reason) {
        super(reason);
    }
}
