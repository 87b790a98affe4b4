package io.muninn.coherence.homebased;

import io.muninn.model.PageAccess;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.MemoryModel;
import io.muninn.spi.ProtocolTraits.Trait;

/** The contract of {@link HomeBased}. */
public final class HomeBasedTraits {
    /** The contract that other code may rely on. */
    public static final ProtocolTraits TRAITS =
            ProtocolTraits.of(
                            MemoryModel.RELEASE_CONSISTENCY,
                            Trait.TWINS,
                            Trait.READS_AHEAD,
                            Trait.ACQUIRES_INVALIDATE,
                            Trait.HOMES)
                    .state("Absent", PageAccess.NONE)
                    .state("Fetching", PageAccess.NONE, Mark.THREADS_WAIT)
                    .state("Ahead", PageAccess.NONE)
                    .state("Clean", PageAccess.READ)
                    .state("Dirty", PageAccess.READ_WRITE, Mark.TWIN)
                    .state("Withdrawing", PageAccess.READ, Mark.AWAITS_WITHDRAWAL)
                    .state("Closing", PageAccess.READ_WRITE, Mark.AWAITS_WITHDRAWAL, Mark.TWIN)
                    .state("Stale", PageAccess.NONE)
                    .state("Idle", PageAccess.NONE, Mark.ANSWERS)
                    .state("Initial", PageAccess.READ_WRITE, Mark.ANSWERS)
                    .state("Unfilled", PageAccess.NONE, Mark.ANSWERS)
                    .state("Filling", PageAccess.NONE, Mark.ANSWERS, Mark.THREADS_WAIT)
                    .state("HomeClean", PageAccess.READ, Mark.ANSWERS, Mark.WHOLE)
                    .state("HomeDirty", PageAccess.READ_WRITE, Mark.ANSWERS, Mark.WHOLE)
                    .state(
                            "HomeWithdrawing",
                            PageAccess.READ_WRITE,
                            Mark.ANSWERS,
                            Mark.WHOLE,
                            Mark.AWAITS_WITHDRAWAL)
                    .state(
                            "HomeStale",
                            PageAccess.NONE,
                            Mark.ANSWERS,
                            Mark.WHOLE,
                            Mark.AWAITS_UPDATES);

    /** The contract with a view for each process. */
    public static final ProtocolTraits OF_VIEWS =
            TRAITS.with(Trait.VIEWS)
                    .state("CleanAsked", PageAccess.READ, Mark.THREADS_WAIT)
                    .state("DirtyAsked", PageAccess.READ_WRITE, Mark.THREADS_WAIT, Mark.TWIN);

    private HomeBasedTraits() {}
}
