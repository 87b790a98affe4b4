package io.muninn.protocols;

import io.muninn.model.PageId;
import io.muninn.protocol.Effects;

/** Joins neighbouring pages, given in order, into as few withdrawals as possible. */
final class Withdrawals {
    private final Effects out;
    private int region;
    private int first;
    private int count;

    Withdrawals(Effects out) {
        this.out = out;
    }

    void add(PageId page) {
        if (count > 0 && (page.region() != region || page.index() != first + count)) {
            end();
        }
        if (count == 0) {
            region = page.region();
            first = page.index();
        }
        count++;
    }

    void end() {
        if (count > 0) {
            out.withdraw(new PageId(region, first), count);
            count = 0;
        }
    }
}
