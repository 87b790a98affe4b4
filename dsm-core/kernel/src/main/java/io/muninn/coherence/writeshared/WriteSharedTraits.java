package io.muninn.coherence.writeshared;

import io.muninn.model.PageAccess;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.MemoryModel;
import io.muninn.spi.ProtocolTraits.Trait;

/** The contract of {@link WriteShared} that other code may rely on. */
public final class WriteSharedTraits {
    public static final ProtocolTraits TRAITS =
            ProtocolTraits.of(
                            MemoryModel.RELEASE_CONSISTENCY,
                            Trait.TWINS,
                            Trait.ADAPTIVE_TWINS,
                            Trait.READS_AHEAD,
                            Trait.FINDS_RACES)
                    .state("Absent", PageAccess.NONE)
                    .state("Deferred", PageAccess.NONE, Mark.AWAITS_FLUSH)
                    .state("Ahead", PageAccess.NONE)
                    .state("Fetching", PageAccess.NONE, Mark.THREADS_WAIT)
                    .state("Clean", PageAccess.READ, Mark.ANSWERS)
                    .state("Withdrawn", PageAccess.NONE, Mark.ANSWERS)
                    .state("Dirty", PageAccess.READ_WRITE, Mark.ANSWERS, Mark.TWIN)
                    .state("Hot", PageAccess.READ_WRITE, Mark.ANSWERS, Mark.TWIN)
                    .state("Exclusive", PageAccess.READ_WRITE, Mark.ANSWERS)
                    .state("Idle", PageAccess.NONE, Mark.ANSWERS);

    private WriteSharedTraits() {}
}
