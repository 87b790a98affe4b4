package io.muninn.node;

import io.muninn.node.port.LockWords;
import io.muninn.node.port.Pages;
import io.muninn.node.port.RunControl;
import io.muninn.node.port.Timers;
import io.muninn.node.port.Tracer;
import io.muninn.node.port.Transport;
import io.muninn.node.port.Waiters;
import io.muninn.protocol.Effect;
import io.muninn.protocol.Effect.ApplyDiff;
import io.muninn.protocol.Effect.ArmTimer;
import io.muninn.protocol.Effect.CancelTimer;
import io.muninn.protocol.Effect.Count;
import io.muninn.protocol.Effect.Discard;
import io.muninn.protocol.Effect.DropDiff;
import io.muninn.protocol.Effect.DropTwin;
import io.muninn.protocol.Effect.FailRun;
import io.muninn.protocol.Effect.FindRaces;
import io.muninn.protocol.Effect.InstallPage;
import io.muninn.protocol.Effect.KeepDiff;
import io.muninn.protocol.Effect.LendLock;
import io.muninn.protocol.Effect.MakeTwin;
import io.muninn.protocol.Effect.NoteStores;
import io.muninn.protocol.Effect.Poison;
import io.muninn.protocol.Effect.ReclaimLock;
import io.muninn.protocol.Effect.ReportRace;
import io.muninn.protocol.Effect.ResumeFault;
import io.muninn.protocol.Effect.ResumeWaiter;
import io.muninn.protocol.Effect.SaveDiff;
import io.muninn.protocol.Effect.Send;
import io.muninn.protocol.Effect.SetAccess;
import io.muninn.protocol.Effect.WatchReleases;
import io.muninn.protocol.Effect.Withdraw;
import io.muninn.protocol.Event;
import io.muninn.protocol.Race;
import io.muninn.wire.Payload;
import java.util.List;
import java.util.function.Consumer;

/** Performs effects. Agent and simulator share it; only the ports behind it differ. */
public final class EffectPerformer {
    /** The machine, live or simulated. */
    public record Ports(
            Transport transport,
            Pages pages,
            LockWords locks,
            Waiters waiters,
            Timers timers,
            Tracer tracer,
            RunControl run) {}

    private final Ports ports;
    private final PageStatistics statistics;
    private final Consumer<Event> results;
    private final OwnStores stores = new OwnStores();

    /**
     * @param statistics counts what is done to pages
     * @param results takes the results of effects; they are stepped before the next outside event
     */
    public EffectPerformer(Ports ports, PageStatistics statistics, Consumer<Event> results) {
        this.ports = ports;
        this.statistics = statistics;
        this.results = results;
    }

    /**
     * Performs the effects of a step in order. Neighbouring pages to which the same is done one
     * after the other are done in one step.
     */
    public void performAll(List<Effect> effects) {
        int at = 0;
        while (at < effects.size()) {
            Effect effect = effects.get(at);
            int count = 1;
            while (at + count < effects.size()
                    && continues(effect, count, effects.get(at + count))) {
                count++;
            }
            perform(effect, count);
            at += count;
        }
    }

    private static boolean continues(Effect first, int count, Effect next) {
        if (first.getClass() != next.getClass()) { // most are not, and patterns take longer
            return false;
        }
        return switch (first) {
            case SetAccess(var page, var access) ->
                    next instanceof SetAccess(var other, var same)
                            && same == access
                            && page.isBefore(other, count);
            case Discard(var page) ->
                    next instanceof Discard(var other) && page.isBefore(other, count);
            case ResumeFault(var page, var access) ->
                    next instanceof ResumeFault(var other, var same)
                            && same == access
                            && page.isBefore(other, count);
            default -> false;
        };
    }

    private void perform(Effect effect, int count) {
        if (count == 1) {
            perform(effect);
        } else if (effect instanceof SetAccess(var first, var access)) {
            ports.pages().setAccess(first, count, access);
        } else if (effect instanceof Discard(var first)) {
            ports.pages().discard(first, count);
        } else if (effect instanceof ResumeFault(var first, var access)) {
            ports.pages().resume(first, count, access);
        }
    }

    private void perform(Effect effect) {
        Pages pages = ports.pages();
        switch (effect) {
            case Send(var to, var message) ->
                    statistics.onSent(message, ports.transport().send(to, message));
            case SetAccess(var page, var access) -> pages.setAccess(page, access);
            case Withdraw(var first, int count) -> pages.withdraw(first, count);
            case InstallPage(var page, var image, var access) -> {
                pages.install(page, image, access);
                statistics.onInstalled(page);
            }
            case Discard(var page) -> pages.discard(page);
            case Poison(var page) -> pages.poison(page);
            case MakeTwin(var page) -> {
                pages.makeTwin(page);
                statistics.onTwinMade(page);
            }
            case DropTwin(var page) -> {
                pages.dropTwin(page);
                statistics.onTwinDropped(page);
            }
            case SaveDiff(var page, long interval, boolean keepTwin) -> {
                Pages.DiffSize size = pages.saveDiff(page, interval, keepTwin);
                statistics.onDiffSaved(page, size.granules(), size.kept());
                results.accept(
                        new Event.DiffSaved(
                                page, interval, size.granules(), size.bytes(), size.kept()));
            }
            case DropDiff(var page, long interval) -> {
                pages.dropDiff(page, interval);
                statistics.onDiffDropped(page);
            }
            case KeepDiff(var page, long keep, var diff) -> pages.keepDiff(page, keep, diff);
            case ApplyDiff(var page, var diff) -> {
                int overlap = pages.applyDiff(page, diff);
                statistics.onDiffApplied(page, overlap);
                results.accept(new Event.DiffApplied(page, overlap));
            }
            case NoteStores(var region, var page, long interval) -> {
                var saved = pages.bytes(new Payload.SavedDiff(page, interval));
                stores.note(region, page, interval, saved);
            }
            case FindRaces(var region, var page, var from, var diff, long known) -> {
                List<Race> races = stores.races(region, page, pages.bytes(diff), known, pages);
                if (!races.isEmpty()) {
                    results.accept(new Event.RacesFound(page, from, races));
                }
            }
            case ReportRace(var page, int offset, var text) ->
                    ports.run().raceFound(page, offset, text);
            case ResumeFault(var page, var access) -> pages.resume(page, access);
            case ResumeWaiter(var waiter, var outcome) -> ports.waiters().resume(waiter, outcome);
            case ArmTimer(var timer, long delayNanos) -> ports.timers().arm(timer, delayNanos);
            case CancelTimer(var timer) -> ports.timers().cancel(timer);
            case Count(var counter, long amount) -> ports.tracer().count(counter, amount);
            case ReclaimLock(var lock) ->
                    results.accept(new Event.LockReclaimed(lock, ports.locks().reclaim(lock)));
            case LendLock(var lock, boolean held, boolean wanted) ->
                    ports.locks().lend(lock, held, wanted);
            case WatchReleases() -> ports.locks().watchReleases();
            case FailRun(var reason) -> ports.run().failRun(reason);
        }
    }
}
