package io.muninn.verify.check;

import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.wire.Payload;
import java.util.List;

/**
 * A release keeps the twin of a page if, and only if, the page was dirty in the number of
 * consecutive intervals that the run's rules give. It drops the twin after the given number of
 * comparisons without a change. Up to three intervals without a store do not interrupt the
 * sequence. An update may also drop the twin of a page that no release has compared within the
 * update timeout, counted from the first update after the last comparison.
 */
final class KeptTwins extends PageChecker {
    static final String NAME = "hot pages";

    private static final int STEP_MAX = 4;
    private static final long NEVER = Long.MAX_VALUE;

    /** The recent intervals of a page on a node. */
    private static final class Row {
        int times; // consecutive intervals in which the page was dirty
        long last; // of these intervals
        boolean isHot;
        int unchanged; // consecutive comparisons without a change, while it is hot
        long updatedNanos = NEVER; // time of the first update since the last comparison
        boolean isUnused; // no release has compared it for the window; the next one protects it

        void clear() {
            times = 0;
            last = 0;
            isHot = false;
            unchanged = 0;
            updatedNanos = NEVER;
            isUnused = false;
        }
    }

    private final PerPage<Row[]> rows;
    private AdaptiveTwinRules rules = AdaptiveTwinRules.DEFAULT;
    private long timeoutNanos;

    KeptTwins(ClusterView overview) {
        super(overview);
        rows = new PerPage<>(_ -> newRows());
    }

    private Row[] newRows() {
        Row[] ofPage = new Row[overview().nodes()];
        for (int i = 0; i < ofPage.length; i++) {
            ofPage[i] = new Row();
        }
        return ofPage;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        rules = simulation.cluster().twins();
        timeoutNanos = simulation.cluster().updates().timeoutNanos();
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        if (event instanceof Event.DiffSaved saved) {
            Row row = rows.of(saved.page())[node.id().index()];
            row.updatedNanos = NEVER;
            if (row.isHot) {
                row.unchanged = saved.granules() == 0 ? row.unchanged + 1 : 0;
            }
        }
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.ApplyDiff(PageId page, Payload _) ->
                        updated(rows.of(page)[node.id().index()]);
                case Effect.SaveDiff(PageId page, long interval, boolean keepTwin)
                        when overview().traits(page).has(Trait.ADAPTIVE_TWINS) ->
                        save(node, page, interval, keepTwin);
                default -> {} // compares no page
            }
        }
    }

    /** The comparison may follow later: an earlier update of the page may be outstanding. */
    private void updated(Row row) {
        if (row.updatedNanos == NEVER) {
            row.updatedNanos = nowNanos();
        } else {
            row.isUnused |= row.isHot && nowNanos() - row.updatedNanos >= timeoutNanos;
        }
    }

    private void save(SimNode node, PageId page, long interval, boolean keepTwin) {
        Row row = rows.of(page)[node.id().index()];
        boolean isHot =
                row.isHot
                        ? row.unchanged < rules.coldAfter() && !row.isUnused
                        : heats(row, interval);
        if (keepTwin != isHot) {
            throw violation(describe(node, page, row, keepTwin));
        }
        if (row.isHot && !keepTwin) {
            row.clear();
        } else {
            row.isHot = keepTwin;
        }
    }

    private long nowNanos() {
        return overview().simulation().nowNanos();
    }

    private boolean heats(Row row, long interval) {
        row.times = interval - row.last <= STEP_MAX ? row.times + 1 : 1;
        row.last = interval;
        return row.times >= rules.hotAfter();
    }

    private String describe(SimNode node, PageId page, Row row, boolean keepTwin) {
        return node.describe(page)
                + (keepTwin ? " keeps" : " does not keep")
                + " its twin: dirty in "
                + row.times
                + " intervals in a row, "
                + row.unchanged
                + " comparisons without a change; "
                + rules.text();
    }

    @Override
    protected void check(PageId page) {
        for (int i = 0; i < overview().nodes(); i++) {
            switch (overview().state(i, page)) {
                case "Clean", "Withdrawn", "Dirty", "Hot" -> {} // does not interrupt the sequence
                default -> rows.of(page)[i].clear();
            }
        }
    }
}
