package io.muninn.nativefault;

import java.util.ArrayList;
import java.util.List;

/** Records the replies of an application's command thread. */
final class Commands implements CommandSink {
    final List<Long> pongs = new ArrayList<>();
    final List<Long> drops = new ArrayList<>();
    private boolean gone;

    @Override
    public void onPong(long sequence) {
        pongs.add(sequence);
    }

    @Override
    public void onDropped(long sequence, long offset, long bytes) {
        drops.add(sequence);
    }

    @Override
    public void onApplicationGone() {
        if (gone) {
            throw new AssertionError("gone twice");
        }
        gone = true;
    }

    boolean gone() {
        return gone;
    }
}
