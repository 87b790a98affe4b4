package io.muninn.kernel;

import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.spi.Event;

/** What a waiter waits for. */
sealed interface Wait {
    record ForLock(LockId lock) implements Wait {}

    record ForBarrier(BarrierId barrier) implements Wait {}

    record ForCondition(ConditionId condition) implements Wait {}

    record ForLetter() implements Wait {}

    record ForSealing() implements Wait {}

    /** Something that has no time limit. */
    record ForAnswer(Event.Waiting call) implements Wait {}
}
