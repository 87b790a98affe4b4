package io.muninn.bench.paper;

import io.muninn.sim.ncc.NccModel;
import io.muninn.sim.ncc.NccProtocol;
import io.muninn.sim.ncc.WritePolicy;

/**
 * A run of the study of machines without coherent caches.
 *
 * @param level of the program's structure; empty if it has one version
 * @param policy of software protocols
 * @param model of the machine
 */
record NccPoint(
        NccProgram program,
        String level,
        NccProtocol protocol,
        WritePolicy policy,
        int nodes,
        NccModel model) {
    /** The best protocol in software, with the best program. */
    static NccPoint best(NccProgram program, int nodes) {
        return new NccPoint(
                program,
                program.best(),
                NccProtocol.DISTRIBUTED_DELAYED,
                WritePolicy.MERGE_BUFFER,
                nodes,
                NccModel.PAPER);
    }

    /** The same on another protocol; hardware has the program without remote variables. */
    NccPoint with(NccProtocol other) {
        boolean isHardware =
                other == NccProtocol.HARDWARE_RELEASE || other == NccProtocol.HARDWARE_SEQUENTIAL;
        String of = isHardware ? program.cached() : level;
        return new NccPoint(program, of, other, policy, nodes, model);
    }

    NccPoint with(WritePolicy other) {
        return new NccPoint(program, level, protocol, other, nodes, model);
    }

    NccPoint with(String otherLevel) {
        return new NccPoint(program, otherLevel, protocol, policy, nodes, model);
    }

    /** The same with caches of another size. */
    NccPoint withCache(int bytes) {
        return with(model.withCache(bytes, model.cacheWays()));
    }

    NccPoint with(NccModel other) {
        return new NccPoint(program, level, protocol, policy, nodes, other);
    }

    /** The run in a line of progress. */
    String text() {
        return program.program()
                + (level.isEmpty() ? "" : " " + level)
                + ", "
                + protocol.text()
                + ", "
                + policy.text()
                + ", "
                + nodes
                + " processors";
    }

    /** The run as cells of a CSV file. */
    String csv() {
        return String.join(
                ",",
                program.program(),
                level,
                protocol.text(),
                policy.text(),
                Integer.toString(nodes),
                Integer.toString(model.cacheWays()),
                Integer.toString(model.noticesMax()));
    }
}
