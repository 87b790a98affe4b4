package io.muninn.coherence.weak;

import io.muninn.model.PageAccess;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.MemoryModel;
import io.muninn.spi.ProtocolTraits.Trait;

/** The contracts of {@link Weak} and {@link PooledWeak}. */
public final class WeakTraits {
    /** The contract of {@link Weak}. */
    public static final ProtocolTraits TRAITS =
            ProtocolTraits.of(
                            MemoryModel.RELEASE_CONSISTENCY,
                            Trait.TWINS,
                            Trait.ACQUIRES_INVALIDATE,
                            Trait.HOMES,
                            Trait.POSTS_NOTICES)
                    .state("Absent", PageAccess.NONE)
                    .state("Mapping", PageAccess.NONE, Mark.THREADS_WAIT)
                    .state("Clean", PageAccess.READ)
                    .state("Dirty", PageAccess.READ_WRITE, Mark.TWIN)
                    .state("Withdrawing", PageAccess.READ, Mark.AWAITS_WITHDRAWAL)
                    .state("Closing", PageAccess.READ_WRITE, Mark.AWAITS_WITHDRAWAL, Mark.TWIN)
                    .state("Idle", PageAccess.NONE, Mark.ANSWERS)
                    .state("Initial", PageAccess.READ_WRITE, Mark.ANSWERS)
                    .state("Unfilled", PageAccess.NONE, Mark.ANSWERS)
                    .state("Filling", PageAccess.NONE, Mark.ANSWERS, Mark.THREADS_WAIT)
                    .state("HomeClean", PageAccess.READ, Mark.ANSWERS, Mark.WHOLE)
                    .state("HomeDirty", PageAccess.READ_WRITE, Mark.ANSWERS, Mark.WHOLE);

    /** The contract of {@link PooledWeak}. */
    public static final ProtocolTraits OF_POOL =
            ProtocolTraits.of(
                            MemoryModel.RELEASE_CONSISTENCY,
                            Trait.TWINS,
                            Trait.ACQUIRES_INVALIDATE,
                            Trait.POSTS_NOTICES,
                            Trait.POOLED)
                    .state("Absent", PageAccess.NONE)
                    .state("Mapping", PageAccess.NONE, Mark.THREADS_WAIT)
                    .state("Clean", PageAccess.READ)
                    .state("Dirty", PageAccess.READ_WRITE, Mark.TWIN)
                    .state("Withdrawing", PageAccess.READ, Mark.AWAITS_WITHDRAWAL)
                    .state("Closing", PageAccess.READ_WRITE, Mark.AWAITS_WITHDRAWAL, Mark.TWIN)
                    .state("Idle", PageAccess.NONE)
                    .state("Initial", PageAccess.READ_WRITE)
                    .state("Filling", PageAccess.NONE, Mark.AWAITS_FLUSH)
                    .state("HomeSole", PageAccess.READ_WRITE, Mark.WHOLE)
                    .state("HomeClean", PageAccess.READ, Mark.WHOLE)
                    .state("HomeDirty", PageAccess.READ_WRITE, Mark.WHOLE);

    private WeakTraits() {}
}
