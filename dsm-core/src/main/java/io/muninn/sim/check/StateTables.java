package io.muninn.sim.check;

import io.muninn.api.Protocol;
import java.util.List;

/**
 * The state × event tables, in the words of the classes whose Javadoc they stand in; a test
 * compares the two. The table of letters is not among them: whether a window is open is not to be
 * seen from outside, and so is not which messages a node sends itself.
 */
final class StateTables {
    static final StateTable CONVENTIONAL = StateTable.parse("Conventional", conventional());
    static final StateTable READ_ONLY = StateTable.parse("ReadOnly", readOnly());
    static final StateTable MIGRATORY = StateTable.parse("Migratory", migratory());
    static final StateTable WRITE_SHARED = StateTable.parse("WriteShared", writeShared());
    static final StateTable LOCKS = StateTable.parse("LockManager", lockManager());
    static final StateTable BARRIERS = StateTable.parse("BarrierArrivals", barrierArrivals());

    /** All of them, in the order in which coverage is printed. */
    static final List<StateTable> ALL =
            List.of(CONVENTIONAL, READ_ONLY, MIGRATORY, WRITE_SHARED, LOCKS, BARRIERS);

    private StateTables() {}

    static StateTable of(Protocol protocol) {
        return switch (protocol) {
            case CONVENTIONAL -> CONVENTIONAL;
            case READ_ONLY -> READ_ONLY;
            case MIGRATORY -> MIGRATORY;
            case WRITE_SHARED -> WRITE_SHARED;
        };
    }

    private static String conventional() {
        return
"""
               read fault        write fault          ReadRequest        WriteRequest
Invalid        ask, →AwaitCopy   ask, →AwaitGrant     forward            forward, owner:=asker
Shared         resume            ask, →AwaitGrant     forward            forward, owner:=asker
Shared owner   resume            invalidate (1)       send copy          grant, →Invalid
Exclusive      resume            resume               copy, →Shared (2)  grant, →Invalid (2)
AwaitCopy      join              join                 forward            forward, owner:=asker
AwaitGrant     join              join                 defer              defer
AwaitAcks      join              join                 defer              defer

               ReadReply             WriteGrant       Invalidate          InvalidateAck
Invalid        impossible            impossible       impossible          impossible
Shared         impossible            impossible       ack, →Invalid (2)   impossible
Shared owner   impossible            impossible       impossible          impossible
Exclusive      impossible            impossible       impossible          impossible
AwaitCopy      install, →Shared (3)  impossible       ack, mark dead (3)  impossible
AwaitGrant     impossible            →AwaitAcks (1)   end copy, ack (4)   impossible
AwaitAcks      impossible            impossible       impossible          count, →Exclusive
""";
    }

    private static String readOnly() {
        return
"""
              read fault         write fault   CopyRequest   CopyReply            Sealed
Writable (1)  resume             resume        impossible    impossible           →Readable
Absent        ask, →Awaiting     fail run      impossible    impossible           impossible
Awaiting      join               fail run      impossible    install, →Readable   impossible
Readable      resume             fail run      send copy     impossible           impossible
""";
    }

    private static String migratory() {
        return
"""
              fault            PageRequest            PageMove           HoldOver
Absent        ask, →Awaiting   forward, owner:=asker  impossible         ignore
Awaiting      join             defer                  install, →Present  ignore
Present       resume           move, →Absent (1)      impossible         answer the deferred
""";
    }

    private static String writeShared() {
        return
"""
           read fault       write fault          FetchRequest           FetchReply
Absent     ask, →Fetching   ask, →Fetching       forward                impossible
Fetching   join             join, want store     forward                install (1)
Clean      resume           twin, →Dirty (2)     send page, add asker   impossible
Dirty      resume           resume               send twin, add asker   impossible
Exclusive  resume           resume               send page, →Clean      impossible
Idle (3)   →Exclusive       →Exclusive           hand over, →Absent     impossible

           Update           release (4)          Sealed
Absent     refuse           –                    –
Fetching   keep (1)         –                    –
Clean      apply, ack       –                    –
Dirty      apply, ack       diff, →Clean (5)     –
Exclusive  impossible       –                    withdraw, →Idle
Idle       impossible       –                    –
""";
    }

    private static String lockManager() {
        return
"""
           AcquireCalled      ReleaseCalled     LockRequest              LockGrant
Away       ask, →Asked        impossible        forward, hint:=asker     impossible
Asked      wait               impossible        follow (1)               hand on (2)
Kept       hand on (2)        impossible        follow, hand on          impossible
Lent       reclaim            impossible        follow, reclaim          impossible
Wanted     wait               hand on (2)       follow (1)               impossible
Passing    wait               impossible        forward, hint:=asker     impossible

           LockReclaimed               release performed       wait over or cancelled
Away       impossible                  impossible              ignore
Asked      impossible                  impossible              leave the queue (3)
Kept       impossible                  impossible              ignore
Lent       impossible                  impossible              ignore
Reclaiming taken: hand on (2),         impossible              impossible (4)
           else →Wanted
Wanted     impossible                  impossible              leave the queue
Passing    impossible                  grant, →Away or →Asked  leave the queue
""";
    }

    private static String barrierArrivals() {
        return
"""
         BarrierReached     release performed  BarrierDepart         BarrierBroken  wait over
Unknown  whole, as below    impossible         impossible            →Broken        ignore
Whole    wait; combined:    send arrival       resume the oldest,    →Broken, all   tell manager
         flush                                 as many as came (1)   waiters told
Broken   told at once       send arrival (2)   ignore (2)            ignore         ignore
""";
    }
}
