package io.muninn.verify.program;

import static io.muninn.verify.program.SeededRun.spread;

/** The kinds of random programs; each kind draws from a generator of its own. */
enum TrialKind {
    OF_ALL,
    OF_WAITS,
    OF_LIMITS,
    OF_POLLING,
    OF_PROCESSORS,
    OF_REDUCTIONS,
    OF_JOURNEYS,
    OF_MESSAGES,
    OF_SIBLINGS,
    OF_PERMISSIONS,
    OF_REMOTES,
    OF_CUTS;

    /** The seed of the kind's generator. */
    long start(long seed) {
        return switch (this) {
            case OF_ALL -> spread(seed);
            case OF_WAITS -> spread(spread(~spread(seed)));
            case OF_LIMITS -> spread(~spread(~spread(seed)));
            case OF_POLLING -> spread(~spread(~spread(~spread(seed))));
            case OF_PROCESSORS -> spread(~spread(~spread(~spread(~spread(seed)))));
            case OF_REDUCTIONS -> spread(spread(~spread(~spread(~spread(seed)))));
            case OF_JOURNEYS -> spread(spread(spread(~spread(~spread(seed)))));
            case OF_MESSAGES -> spread(spread(spread(spread(~spread(seed)))));
            case OF_SIBLINGS -> spread(~spread(spread(spread(~spread(seed)))));
            case OF_PERMISSIONS -> spread(~spread(spread(~spread(~spread(seed)))));
            case OF_REMOTES -> spread(spread(~spread(spread(~spread(~seed)))));
            case OF_CUTS -> spread(~spread(spread(~spread(spread(~seed)))));
        };
    }
}
