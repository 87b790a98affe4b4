package io.muninn.e2e.programs;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Statistics;

/** The last node takes a lock, then takes it again 1000 times, and says what that cost. */
public final class Relock implements DsmProgram {
    @Override
    public void run(DsmNode node) {
        if (node.id() == node.nodes() - 1) {
            DsmLock lock = node.lock("mine");
            lock.lock();
            lock.unlock();
            Statistics before = node.statistics();
            for (int i = 0; i < 1000; i++) {
                lock.lock();
                lock.unlock();
            }
            System.out.println("messages " + node.statistics().since(before).messages());
        }
        node.barrier("end").await();
    }
}
