package io.muninn.coherence.shared;

import io.muninn.model.PageId;
import io.muninn.spi.Effects;

/** Joins neighbouring pages, given in order, into as few withdrawals as possible. */
public final class Withdrawals {
    private final Effects out;
    private int region;
    private int first;
    private int count;

    public Withdrawals(Effects out) {
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
            out.withdraw(new PageId(region, first), count);
            count = 0;
        }
    }
}
