package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.OptionalInt;

/**
 * The agent's end of its application's mailboxes: short calls of threads, and the answers, in
 * memory that both share. A thread that posts a call makes {@link FaultEngine#faultFd} readable.
 *
 * <p><b>Order.</b> {@link #readPosted}; for each call, once all frames that its thread had sent
 * {@linkplain #framesBefore before} it are handled, {@link #take(int, byte[])}; later {@link
 * #answer}, or an answer on the thread's socket and {@link #answerOnSocket}. A thread has one call
 * there at a time.
 *
 * <p><b>Errors.</b> What no thread writes, such as a number that is none, is a {@link
 * BrokenMemoryException}: the application has stored to memory that is not its own.
 *
 * <p><b>Threads.</b> The agent thread only, but for {@link #take(MemorySegment)}. No call waits for
 * a thread of the application.
 */
public final class Mailboxes {
    /** How many there are. */
    public static final int COUNT = FaultLibrary.MAILBOXES;

    /** Longest call, and longest answer. */
    public static final int FRAME_BYTES_MAX = FaultLibrary.MAILBOX_FRAME_MAX;

    /** Length of the memory; it begins at a multiple of 64. */
    public static final int BYTES = FaultLibrary.MAIL_BYTES;

    private static final int NONE = 0; // of a call, and of an answer
    private static final int POSTED = 1;
    private static final int AWAITED = 1;
    private static final int HERE = 2;
    private static final int ON_SOCKET = 3;

    private static final long TAKEN = FaultLibrary.MAILBOXES_TAKEN;
    private static final VarHandle INTS = JAVA_INT.varHandle();

    private final MemorySegment memory;
    private final int[] posted = new int[COUNT];

    /**
     * @param memory of {@link #BYTES}, aligned to 64, zero when the application got it
     */
    public Mailboxes(MemorySegment memory) {
        this.memory = memory.asSlice(0, BYTES);
    }

    /**
     * Takes one for a thread of the application, for good. Any thread.
     *
     * @return empty when all are taken
     */
    public static OptionalInt take(MemorySegment memory) {
        int taken = (int) INTS.getVolatile(memory, TAKEN);
        while (taken < COUNT) {
            if (INTS.compareAndSet(memory, TAKEN, taken, taken + 1)) {
                return OptionalInt.of(taken);
            }
            taken = (int) INTS.getVolatile(memory, TAKEN);
        }
        return OptionalInt.empty();
    }

    /**
     * Reads which mailboxes have a call that was posted since the last time.
     *
     * @return how many; {@link #posted} has them until the next time
     */
    public int readPosted() {
        if ((int) INTS.getVolatile(memory, 0L) == 0) {
            return 0;
        }
        int count = 0;
        int chain = (int) INTS.getAndSet(memory, 0L, 0); // the newest
        while (chain != 0) {
            if (chain < 0 || chain > COUNT || count == COUNT) {
                throw new BrokenMemoryException(
                        "the application has posted mailbox " + (chain - 1L) + ", of " + COUNT);
            }
            posted[count++] = chain - 1;
            chain = (int) INTS.getVolatile(memory, at(chain - 1) + FaultLibrary.MAILBOX_NEXT);
        }
        for (int left = 0, right = count - 1; left < right; left++, right--) {
            int newer = posted[left];
            posted[left] = posted[right];
            posted[right] = newer;
        }
        return count;
    }

    /** The mailbox of the index-th call that was read, from 0, the oldest first. */
    public int posted(int index) {
        return posted[index];
    }

    /** How many frames the thread had sent on its socket when it posted; wraps around. */
    public int framesBefore(int mailbox) {
        return memory.get(JAVA_INT, at(mailbox) + FaultLibrary.MAILBOX_AFTER);
    }

    /**
     * Copies a call that was posted; from then on the thread may post another.
     *
     * @param frame has {@link #FRAME_BYTES_MAX} bytes
     * @return the call's length
     */
    public int take(int mailbox, byte[] frame) {
        long at = at(mailbox);
        int state = (int) INTS.getAcquire(memory, at);
        int length = memory.get(JAVA_INT, at + FaultLibrary.MAILBOX_CALL_LENGTH);
        if (state != POSTED || length < 1 || length > FRAME_BYTES_MAX) {
            throw new BrokenMemoryException(
                    "the application's mailbox "
                            + mailbox
                            + " has a call in state "
                            + state
                            + " and of "
                            + length
                            + " bytes");
        }
        MemorySegment.copy(memory, JAVA_BYTE, at + FaultLibrary.MAILBOX_CALL, frame, 0, length);
        INTS.setRelease(memory, at, NONE);
        return length;
    }

    /**
     * Answers the thread.
     *
     * @param length up to {@link #FRAME_BYTES_MAX}
     */
    public void answer(int mailbox, byte[] frame, int length) {
        long at = at(mailbox);
        MemorySegment.copy(frame, 0, memory, JAVA_BYTE, at + FaultLibrary.MAILBOX_ANSWER, length);
        memory.set(JAVA_INT, at + FaultLibrary.MAILBOX_ANSWER_LENGTH, length);
        tell(mailbox, HERE);
    }

    /** The answer is a frame on the thread's socket, and has been sent. */
    public void answerOnSocket(int mailbox) {
        tell(mailbox, ON_SOCKET);
    }

    private void tell(int mailbox, int state) {
        long at = at(mailbox) + FaultLibrary.MAILBOX_ANSWER_STATE;
        int before = (int) INTS.getAndSet(memory, at, state);
        if (before == AWAITED) {
            FaultLibrary.dsm_mail_wake(memory.address() + at);
        } else if (before != NONE) {
            throw new IllegalStateException(
                    "mailbox " + mailbox + " has an answer already, in state " + before);
        }
    }

    private static long at(int mailbox) {
        return FaultLibrary.MAILBOXES_AT + (long) mailbox * FaultLibrary.MAILBOX_BYTES;
    }
}
