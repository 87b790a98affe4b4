package io.muninn.waits;

import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;

/**
 * A lock that a thread holds.
 *
 * @param lock its name
 */
public record Hold(Mode mode, String lock) {
    /** How it is held. A reader-writer lock and a lock of one name are different locks. */
    public enum Mode {
        LOCK,
        READ,
        WRITE
    }

    /** As in "holds lock 'a' to read". */
    String text() {
        return switch (mode) {
            case LOCK -> Awaited.lockText(lock);
            case READ -> Awaited.lockText(lock) + " to read";
            case WRITE -> Awaited.lockText(lock) + " to write";
        };
    }

    /** True if it keeps this wait from its end. */
    boolean blocks(Awaited wait) {
        return lock.equals(wait.name())
                && switch (wait.kind()) {
                    case LOCK -> mode == Mode.LOCK;
                    case READ -> mode == Mode.WRITE;
                    case WRITE -> mode != Mode.LOCK;
                    default -> false;
                };
    }

    void write(WireWriter out) {
        out.u8(mode.ordinal());
        out.text(lock);
    }

    static Hold read(WireReader in) {
        int mode = in.u8();
        if (mode >= Mode.values().length) {
            throw new MalformedMessageException("lock held in mode " + mode);
        }
        return new Hold(Mode.values()[mode], in.text());
    }
}
