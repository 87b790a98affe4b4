package io.muninn.link;

import io.muninn.api.DsmException;

/** The agent or the cluster refuses this process or its call; the text gives the reason. */
public final class RefusedException extends DsmException {
    private static final long serialVersionUID = 1L;

    public RefusedException(String reason) {
        super(reason);
    }
}
