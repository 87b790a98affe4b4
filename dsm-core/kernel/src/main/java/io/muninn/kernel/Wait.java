package io.muninn.kernel;

import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.spi.Event;

/** The reason for which a waiter waits. */
sealed interface Wait {
    record ForLock(LockId lock) implements Wait {}

    record ForBarrier(BarrierId barrier) implements Wait {}

    record ForCondition(ConditionId condition) implements Wait {}

    record ForLetter() implements Wait {}

    record ForSealing() implements Wait {}

    /** A call without a time limit. */
    record ForAnswer(Event.Waiting call) implements Wait {}
}
