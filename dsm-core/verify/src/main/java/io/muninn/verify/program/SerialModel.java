package io.muninn.verify.program;

import io.muninn.verify.program.Litmus.Access;
import java.util.List;
import java.util.TreeSet;

/**
 * The oracle of sequential consistency: all interleavings of the threads' accesses, those of each
 * thread in program order. Conventional and migratory pages must conform to it without any
 * synchronization, and every protocol for programs without races.
 */
final class SerialModel {
    private final List<List<Access>> threads;
    private final List<Integer> finals;
    private final boolean whole;
    private final int loads;
    private final int[] firstRegister;
    private final TreeSet<String> outcomes = new TreeSet<>();

    private SerialModel(List<List<Access>> threads, Litmus litmus, boolean whole) {
        this.threads = threads;
        this.finals = litmus.finalPlaces();
        this.whole = whole;
        this.loads = litmus.loads();
        firstRegister = new int[threads.size()];
        for (int i = 1; i < threads.size(); i++) {
            List<Access> before = threads.get(i - 1);
            firstRegister[i] =
                    firstRegister[i - 1] + (int) before.stream().filter(Access::isLoad).count();
        }
    }

    /**
     * @param whole whether each thread performs all its accesses at once
     */
    static TreeSet<String> outcomes(Litmus litmus, boolean stepped, boolean whole) {
        SerialModel model = new SerialModel(litmus.accesses(stepped), litmus, whole);
        int size = model.threads.size();
        model.goOn(new int[size], new int[size], new int[3], new long[litmus.registers()]);
        return model.outcomes;
    }

    /**
     * @param next each thread's next access
     * @param loaded how many loads each thread has done
     */
    private void goOn(int[] next, int[] loaded, int[] memory, long[] registers) {
        boolean ended = true;
        boolean stands = true;
        for (int i = 0; i < next.length; i++) {
            if (next[i] == threads.get(i).size()) {
                continue;
            }
            ended = false;
            if (!threads.get(i).get(next[i]).isBarrier()) {
                stands = false;
                int[] nextThen = next.clone();
                int[] loadedThen = loaded.clone();
                int[] memoryThen = memory.clone();
                long[] registersThen = registers.clone();
                do {
                    Access access = threads.get(i).get(nextThen[i]++);
                    if (access.isLoad()) {
                        registersThen[firstRegister[i] + loadedThen[i]++] =
                                memoryThen[access.place()];
                    } else {
                        memoryThen[access.place()] = access.value();
                    }
                } while (whole && nextThen[i] < threads.get(i).size());
                goOn(nextThen, loadedThen, memoryThen, registersThen);
            }
        }
        if (ended) {
            end(memory, registers);
        } else if (stands) { // all at the same barrier
            int[] nextThen = next.clone();
            for (int i = 0; i < next.length; i++) {
                nextThen[i]++;
            }
            goOn(nextThen, loaded, memory, registers);
        }
    }

    private void end(int[] memory, long[] registers) {
        for (int i = 0; i < Litmus.FINAL_READERS * finals.size(); i++) {
            registers[loads + i] = memory[finals.get(i % finals.size())];
        }
        outcomes.add(Litmus.outcome(registers, registers.length));
    }
}
