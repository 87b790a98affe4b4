package io.muninn.coherence.shared;

import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import io.muninn.spi.Effects;

/** Joins neighbouring pages, given in order, into as few withdrawals as possible. */
public final class Withdrawals {
    private final MappingId of;
    private final Effects out;
    private int region;
    private int first;
    private int count;

    /** Of all processes of the node. */
    public Withdrawals(Effects out) {
        this(out.mapping(), out);
    }

    /** Of one process. */
    public Withdrawals(MappingId of, Effects out) {
        this.of = of;
        this.out = out;
    }

    public void add(PageId page) {
        if (count > 0 && (page.region() != region || page.index() != first + count)) {
            end();
        }
        if (count == 0) {
            region = page.region();
            first = page.index();
        }
        count++;
    }

    public void end() {
        if (count > 0) {
            out.withdraw(of, new PageId(region, first), count);
            count = 0;
        }
    }
}
