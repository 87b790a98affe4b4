package io.muninn.sim.check;

import io.muninn.api.Protocol;
import io.muninn.diff.Diff;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.protocol.Effect;
import io.muninn.protocol.Event;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimPages;
import io.muninn.sim.Violation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A served image holds no unreleased element that a later diff could not take back: after the step
 * that serves a write-shared page its node has a twin that equals the image, or cannot store to the
 * page, which equals it, or has the page no more. So whatever the node stores next, its diff is
 * against what was served.
 */
final class ServedImages implements Observer {
    static final String NAME = "served images";

    private record Served(PageId page, byte[] image) {}

    private final List<Served> served = new ArrayList<>();

    @Override
    public void onImage(SimNode from, PageId page, MemorySegment image) {
        if (from.pages().spec(page.region()).protocol() == Protocol.WRITE_SHARED) {
            served.add(new Served(page, image.toArray(ValueLayout.JAVA_BYTE)));
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        if (served.isEmpty()) {
            return;
        }
        for (Served each : served) {
            check(node, each);
        }
        served.clear();
    }

    private static void check(SimNode node, Served served) {
        SimPages pages = node.pages();
        PageId page = served.page();
        if (!pages.isPresent(page)) {
            return;
        }
        boolean right =
                pages.hasTwin(page)
                        ? equals(served.image(), pages.twin(page))
                        : pages.access(page) != PageAccess.READ_WRITE
                                && equals(served.image(), pages.content(page));
        if (!right) {
            throw new Violation(
                    NAME,
                    node.describe(page)
                            + " was served with stores that no diff can take back; access "
                            + pages.access(page)
                            + (pages.hasTwin(page) ? ", twin" : ", no twin"));
        }
    }

    private static boolean equals(byte[] image, MemorySegment page) {
        return image.length == 0
                ? Diff.isZero(page)
                : MemorySegment.ofArray(image).mismatch(page) < 0;
    }
}
