package io.muninn.coherence.lazy;

import io.muninn.model.PageAccess;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.MemoryModel;
import io.muninn.spi.ProtocolTraits.Trait;

/** The contracts of {@link Lazy} and {@link Hybrid}, and the accesses that their states grant. */
final class LazyTraits {
    static final ProtocolTraits ALL =
            states(
                    ProtocolTraits.of(
                            MemoryModel.RELEASE_CONSISTENCY,
                            Trait.TWINS,
                            Trait.ACQUIRES_INVALIDATE,
                            Trait.KEEPS_DIFFS,
                            Trait.READS_AHEAD));

    /** The contract of {@link Hybrid}, whose states are the same. */
    static final ProtocolTraits OF_PUSHES =
            states(
                    ProtocolTraits.of(
                            MemoryModel.RELEASE_CONSISTENCY,
                            Trait.TWINS,
                            Trait.ACQUIRES_INVALIDATE,
                            Trait.KEEPS_DIFFS,
                            Trait.PUSHES,
                            Trait.READS_AHEAD));

    private static ProtocolTraits states(ProtocolTraits traits) {
        return traits.state("Absent", PageAccess.NONE)
                .state("Fetching", PageAccess.NONE, Mark.ANSWERS, Mark.THREADS_WAIT)
                .state("Clean", PageAccess.READ, Mark.ANSWERS)
                .state("Dirty", PageAccess.READ_WRITE, Mark.ANSWERS, Mark.TWIN)
                .state("Closed", PageAccess.READ, Mark.ANSWERS, Mark.TWIN)
                .state("Withdrawing", PageAccess.READ, Mark.ANSWERS, Mark.AWAITS_WITHDRAWAL)
                .state(
                        "Closing",
                        PageAccess.READ_WRITE,
                        Mark.ANSWERS,
                        Mark.AWAITS_WITHDRAWAL,
                        Mark.TWIN)
                .state("Stale", PageAccess.NONE, Mark.ANSWERS)
                .state("Ahead", PageAccess.NONE, Mark.ANSWERS)
                .state("Zeros", PageAccess.NONE, Mark.ANSWERS)
                .state("Exclusive", PageAccess.READ_WRITE, Mark.ANSWERS)
                .state("Idle", PageAccess.NONE, Mark.ANSWERS)
                .state("Initial", PageAccess.READ_WRITE, Mark.ANSWERS);
    }

    private LazyTraits() {}
}
