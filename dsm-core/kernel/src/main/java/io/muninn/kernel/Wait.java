package io.muninn.kernel;

import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.ObjectId;

/** What a waiter waits for. */
sealed interface Wait {
    record ForLock(LockId lock) implements Wait {}

    record ForBarrier(BarrierId barrier) implements Wait {}

    record ForCondition(ConditionId condition) implements Wait {}

    record ForLetter() implements Wait {}

    record ForSend() implements Wait {}

    record ForSealing() implements Wait {}

    /** A reply, or a place among the posted calls. */
    record ForObject(ObjectId object) implements Wait {}

    /** A thread of our own, which serves an object or completes calls. */
    record ForCalls() implements Wait {}
}
