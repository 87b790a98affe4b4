package io.muninn.kernel;

import io.muninn.api.Protocol;
import io.muninn.api.remote.WordCondition;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.lazy.LazyMessages.DiffName;
import io.muninn.coherence.lazy.LazyMessages.ImageTerms;
import io.muninn.coherence.writeshared.WriteSharedMessages.Offer;
import io.muninn.diff.Diff;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.Copyset;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.spi.PoolCall;
import io.muninn.spi.PoolResult;
import io.muninn.spi.ThreadMark;
import io.muninn.spi.TimerId;
import io.muninn.spi.VectorTimestamp;
import io.muninn.spi.ViewMark;
import io.muninn.spi.WaiterId;
import io.muninn.sync.SyncMessage;
import io.muninn.wire.Payload;
import io.muninn.wire.WireMessage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Events and effects as text: a record's name as in the code, then its components in order.
 * Self-explanatory values (page, lock, access) stand alone, all others after their component's
 * name. Received bytes are shown as the words that differ from zero, or from the twin; sent bytes
 * as their name.
 */
final class TranscriptRenderer {
    private static final Set<String> NAMES_OF_LISTS =
            Set.of("refused", "outrun", "pages", "unsafe", "stale");
    private static final Set<String> YES_OR_NOTHING =
            Set.of("handsOver", "all", "keepTwin", "kept", "claims", "acknowledge");
    private static final int NANOS_PER_MICRO = 1_000;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private static final int TOLD_CHARACTERS = 24;

    private final List<RegionSpec> regions;
    private final Set<String> told = new HashSet<>();
    private final boolean namesProcesses;

    /**
     * @param namesProcesses false if each node has one process
     */
    TranscriptRenderer(List<RegionSpec> regions, boolean namesProcesses) {
        this.regions = regions;
        this.namesProcesses = namesProcesses;
    }

    String event(Event event) {
        return event instanceof Event.MessageArrived(NodeId from, WireMessage message, _)
                ? "from n" + from + ": " + message(message)
                : named(event);
    }

    String effect(Effect effect) {
        return effect instanceof Effect.Send(NodeId to, WireMessage message)
                ? "Send n" + to + ": " + message(message)
                : named(effect);
    }

    /** The words of a page that are not zero. */
    static String image(MemorySegment bytes) {
        StringJoiner words = new StringJoiner(" ").setEmptyValue("zeros");
        for (long i = 0; i < bytes.byteSize() / Long.BYTES; i++) {
            long value = bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, i * Long.BYTES);
            if (value != 0) {
                words.add("[" + i + "]=" + value);
            }
        }
        return words.toString();
    }

    private static String diff(MemorySegment bytes) {
        StringJoiner words = new StringJoiner(" ");
        Diff.forEach(
                bytes,
                RegionSpec.MACHINE_PAGE_BYTES,
                Long.BYTES,
                (word, value) -> words.add("[" + word + "]=" + value));
        return words.toString();
    }

    private String message(WireMessage message) {
        return fields(message.codec().name(), (Record) message);
    }

    private String named(Object record) {
        return fields(record.getClass().getSimpleName(), (Record) record);
    }

    private String fields(String name, Record record) {
        StringBuilder text = new StringBuilder(name);
        boolean afterName = true;
        boolean first = true;
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            Object value = value(component, record);
            boolean isKnown = record instanceof Effect && value instanceof Payload.Received;
            if (!isKnown && !isSilent(component.getName(), value)) {
                boolean isName = isName(value);
                String separator = first || (afterName && isName) ? " " : ", ";
                text.append(text.isEmpty() ? "" : separator);
                text.append(
                        value instanceof Cargo cargo
                                ? cargo(record, cargo)
                                : text(component.getName(), value));
                afterName = isName;
                first = false;
            }
        }
        return text.toString();
    }

    private static Object value(RecordComponent component, Record record) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException cause) {
            throw new AssertionError("cannot read " + component + " of " + record, cause);
        }
    }

    /**
     * Components without information: the only process, the thread, the clock, no limit, all
     * parties, a copy, no twin kept, no cargo, no contribution, none ended, none refused, none
     * overtaken.
     */
    private boolean isSilent(String label, Object value) {
        return value instanceof MappingId && !namesProcesses
                || value instanceof ThreadMark
                || value instanceof ImageTerms terms && !terms.isTaken()
                || value instanceof Protocol
                || label.equals("nowNanos")
                || (value instanceof Number number && number.longValue() < 0)
                || (label.equals("parties") && value.equals(Event.ALL_PARTIES))
                || (YES_OR_NOTHING.contains(label) && value.equals(false))
                || (label.equals("ended") && value.equals(0))
                || (NAMES_OF_LISTS.contains(label) && value.equals(List.of()))
                || value.equals(Cargo.NONE)
                || (label.equals("contribution") && value.equals(Bytes.EMPTY))
                || value.equals(AppliedDiffs.EMPTY);
    }

    private static boolean isName(Object value) {
        return switch (value) {
            case PageId _,
                    LockId _,
                    ReadWriteLockId _,
                    BarrierId _,
                    ConditionId _,
                    WaiterId _,
                    TimerId _,
                    Outcome _,
                    PoolCall _,
                    PoolResult _,
                    Enum<?> _ ->
                    true;
            default -> false;
        };
    }

    private String text(String label, Object value) {
        return switch (value) {
            case PageId page -> regions.get(page.region()).name() + "[" + page.index() + "]";
            case LockId lock -> lock.name();
            case ReadWriteLockId lock -> lock.name();
            case BarrierId barrier -> barrier.name();
            case ConditionId condition -> condition.toString();
            case WaiterId waiter -> "t" + waiter.thread();
            case TimerId timer -> named(timer);
            case Outcome outcome -> named(outcome);
            case Enum<?> constant -> constant.name();
            case NodeId node -> label + " n" + node;
            case Integer node when label.equals("from") -> label + " n" + node;
            case Copyset nodes -> label + " " + nodes(nodes);
            case VectorTimestamp timestamp -> label + " " + TranscriptCargo.text(timestamp);
            case AppliedDiffs diffs -> label + " " + applied(diffs);
            case Offer offer -> fields("", offer);
            case ImageTerms terms -> imageTerms(terms);
            case DiffName diff -> "n" + diff.writer() + "'s " + diff.interval();
            case DatedCopyset known -> "copyset " + nodes(known.nodes()) + ended(known);
            case ThreadMark mark -> "t" + mark.thread();
            case MappingId process -> process(process);
            case ViewMark mark -> process(mark.of()) + " at " + mark.number();
            case Payload payload -> payload(label, payload);
            case WordCondition(var _, long offset, var comparison, long word) ->
                    "word " + offset / Long.BYTES + " " + comparison + " " + word;
            case PoolCall call -> named(call);
            case PoolCall.Stores stores -> fields("", stores);
            case PoolResult result -> named(result);
            case Long nanos when label.endsWith("Nanos") ->
                    label.substring(0, label.length() - "Nanos".length()) + " " + time(nanos);
            case Boolean holds -> (holds ? "" : "not ") + words(label);
            case Number number -> words(label) + " " + number;
            case Bytes bytes -> label + " " + bytes;
            case String reason -> label + " \"" + reason(reason) + "\"";
            case List<?> items -> items(items);
            default -> throw new AssertionError("no text for " + label + " " + value);
        };
    }

    private static String process(MappingId of) {
        return of.equals(MappingId.ALL) ? "all" : "process " + of;
    }

    /** A long text is printed once, then only its beginning. */
    private String reason(String text) {
        return told.add(text) || text.length() <= TOLD_CHARACTERS
                ? text
                : text.substring(0, TOLD_CHARACTERS) + "…";
    }

    static String nodes(Copyset nodes) {
        StringJoiner names = new StringJoiner(", ", "{", "}");
        nodes.forEach(node -> names.add("n" + node));
        return names.toString();
    }

    private static String applied(AppliedDiffs diffs) {
        StringJoiner names = new StringJoiner(", ", "{", "}");
        diffs.last().forEach(each -> names.add("n" + each.node() + ": " + each.interval()));
        return names.toString();
    }

    private static String imageTerms(ImageTerms terms) {
        boolean needsMore = !terms.base().equals(AppliedDiffs.EMPTY);
        return "or an image"
                + (needsMore ? " with " + applied(terms.base()) : "")
                + (terms.collection() > 0 ? " of collection " + terms.collection() : "");
    }

    private static String ended(DatedCopyset known) {
        StringJoiner names = new StringJoiner(", ", ", ended {", "}").setEmptyValue("");
        known.ended().forEach(each -> names.add("n" + each.node() + ": " + each.copies()));
        return names.toString();
    }

    private static String payload(String label, Payload payload) {
        return switch (payload) {
            case Payload.PageImage _, Payload.LiveImage _ -> label + " of page";
            case Payload.TwinImage _ -> label + " of twin";
            case Payload.PoolFrame _ -> label + " of frame";
            case Payload.SavedDiff(_, long interval) -> label + " of interval " + interval;
            case Payload.KeptDiff(_, long keep) -> "kept " + label + " " + keep;
            case Payload.LastingDiff(_, long keep) -> "kept " + label + " " + keep;
            case Payload.Received(_, boolean zero) when zero -> label + " of zeros";
            case Payload.Received(MemorySegment bytes, _) ->
                    label + " " + (label.equals("diff") ? diff(bytes) : image(bytes));
            case Payload.None() -> "no " + label;
        };
    }

    private String items(List<?> items) {
        StringJoiner texts = new StringJoiner("; ");
        items.forEach(item ->
                texts.add(
                        item instanceof PageId
                                        || item instanceof DiffName
                                        || item instanceof ThreadMark
                                ? text("", item)
                                : fields("", (Record) item)));
        return texts.toString();
    }

    private static String time(long nanos) {
        return nanos >= NANOS_PER_MILLI && nanos % NANOS_PER_MILLI == 0
                ? nanos / NANOS_PER_MILLI + " ms"
                : nanos / NANOS_PER_MICRO + " us";
    }

    private String cargo(Record message, Cargo cargo) {
        boolean isRequest = message instanceof SyncMessage.LockRequest;
        return new TranscriptCargo(page -> text("", page)).text(cargo, isRequest);
    }

    /** A component's name as words: {@code handsOver} becomes {@code hands over}. */
    private static String words(String label) {
        return label.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }
}
