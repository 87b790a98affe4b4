package io.muninn.api.spi;

import io.muninn.api.DsmNode;
import io.muninn.api.LoopProgram;

/** A {@link DsmNode} whose thread can run loops; every implementation of it is one. */
public interface TeamMember {
    /**
     * Runs the calling thread's part of a program: on the root's first thread the sequential part,
     * on all others their shares of its loops. Returns when the sequential part has returned.
     *
     * @throws Exception the exception of the sequential part; elsewhere that of the end of the run
     */
    void play(LoopProgram program) throws Exception;
}
