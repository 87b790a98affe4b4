package io.muninn.waits;

import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.util.List;

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

    /** What can keep this wait from its end. */
    static List<Hold> blocking(Awaited wait) {
        return switch (wait.kind()) {
            case LOCK -> List.of(new Hold(Mode.LOCK, wait.name()));
            case READ -> List.of(new Hold(Mode.WRITE, wait.name()));
            case WRITE ->
                    List.of(new Hold(Mode.READ, wait.name()), new Hold(Mode.WRITE, wait.name()));
            default -> List.of();
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
