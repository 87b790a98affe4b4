package io.muninn.verify.program;

import io.muninn.api.Advice;
import io.muninn.api.Mode;
import io.muninn.api.spi.PageAdvice;
import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.ObjectId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.verify.program.TextForms.Form;
import io.muninn.verify.program.TextForms.Words;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

/** Reads the text of an {@link Op}. */
final class OpText {
    private static final String WITHIN = "(?: within (\\d+) ns)?";
    private static final String PARTIES = "(?: with (\\d+))?";

    private static final List<Form<PageAdvice>> ADVICE =
            List.of(
                    new Form<>(
                            "Coherence\\[advice=(\\w+)\\]",
                            words -> new PageAdvice.Coherence(Advice.valueOf(words.text(1)))),
                    new Form<>("ClearReaders\\[\\]", _ -> new PageAdvice.ClearReaders()),
                    new Form<>(
                            "AddReader\\[node=(\\d+)\\]",
                            words -> new PageAdvice.AddReader(words.count(1))),
                    new Form<>(
                            "RemoveReader\\[node=(\\d+)\\]",
                            words -> new PageAdvice.RemoveReader(words.count(1))),
                    new Form<>(
                            "GuardedBy\\[lock=(.+)\\]",
                            words -> new PageAdvice.GuardedBy(words.text(1))));

    static final List<Form<Op>> FORMS =
            List.of(
                    form(
                            "load remote (\\d+):(\\d+)",
                            words -> new Op.RemoteLoad(words.count(1), words.count(2))),
                    form(
                            "(get and )?add (-?\\d+) to remote (\\d+):(\\d+)",
                            words ->
                                    new Op.RemoteAdd(
                                            words.count(3),
                                            words.count(4),
                                            words.number(2),
                                            words.has(1))),
                    form(
                            "exchange remote (\\d+):(\\d+) by (-?\\d+)",
                            words ->
                                    new Op.RemoteExchange(
                                            words.count(1), words.count(2), words.number(3))),
                    form(
                            "compare remote (\\d+):(\\d+) and store (-?\\d+)",
                            words ->
                                    new Op.RemoteCompare(
                                            words.count(1), words.count(2), words.number(3))),
                    form("fence", _ -> new Op.RemoteFence()),
                    form(
                            "until remote (\\d+):(\\d+) is (-?\\d+)" + WITHIN,
                            words ->
                                    new Op.RemoteUntil(
                                            words.count(1),
                                            words.count(2),
                                            words.number(3),
                                            words.number(4, Op.FOR_EVER))),
                    form(
                            "load (\\S+)(?: to r(\\d+))?",
                            words ->
                                    new Op.Load(words.variable(1), words.count(2, Op.NO_REGISTER))),
                    form(
                            "store (-?\\d+) to (\\S+)",
                            words -> new Op.Store(words.variable(2), words.number(1))),
                    form(
                            "acquire (.+?)" + WITHIN,
                            words ->
                                    new Op.Acquire(
                                            new LockId(words.text(1)),
                                            words.number(2, Op.FOR_EVER))),
                    form("release (.+)", words -> new Op.Release(new LockId(words.text(1)))),
                    form(
                            "(read|write) under (.+?)" + WITHIN,
                            words ->
                                    new Op.Enter(
                                            new ReadWriteLockId(words.text(2)),
                                            words.text(1).equals("write"),
                                            words.number(3, Op.FOR_EVER))),
                    form(
                            "end of (reading|writing) under (.+)",
                            words ->
                                    new Op.Leave(
                                            new ReadWriteLockId(words.text(2)),
                                            words.text(1).equals("writing"))),
                    form(
                            "downgrade (.+)",
                            words -> new Op.Downgrade(new ReadWriteLockId(words.text(1)))),
                    form(
                            "await condition (\\S+) until (\\S+) is (-?\\d+)" + WITHIN,
                            words ->
                                    new Op.AwaitCondition(
                                            condition(words, 1),
                                            words.variable(2),
                                            words.number(3),
                                            words.number(4, Op.FOR_EVER))),
                    form(
                            "await (.+?)"
                                    + PARTIES
                                    + "( until it breaks)?"
                                    + WITHIN
                                    + "(?: contributing .* ([0-9a-f]+))?",
                            OpText::await),
                    form(
                            "gather at (.+?)" + PARTIES + "(, which has broken)?",
                            words ->
                                    new Op.Gather(
                                            new BarrierId(words.text(1)),
                                            words.count(2, Event.ALL_PARTIES),
                                            words.has(3))),
                    form(
                            "signal (all at )?(\\S+)",
                            words -> new Op.Signal(condition(words, 2), words.has(1))),
                    form(
                            "send letter (\\d+) to node (\\d+) tag (-?\\d+)(?: of (\\d+) bytes)?",
                            words ->
                                    new Op.Send(
                                            words.count(2),
                                            words.count(3),
                                            words.number(1),
                                            words.count(4, Long.BYTES))),
                    form(
                            "receive tag (-?\\d+)(?: from node (\\d+))?" + WITHIN,
                            words ->
                                    new Op.Receive(
                                            words.count(2, Event.ANY_NODE),
                                            words.count(1),
                                            words.number(3, Op.FOR_EVER))),
                    form("refresh", _ -> new Op.Refresh()),
                    form(
                            "prefetch (\\d+) pages from (\\S+) to (READ|WRITE)",
                            words ->
                                    new Op.Prefetch(
                                            words.page(2),
                                            words.count(1),
                                            Mode.valueOf(words.text(3)))),
                    form(
                            "advise (.+) for (\\d+) pages from (\\S+)",
                            words ->
                                    new Op.Advise(
                                            words.page(3),
                                            words.count(2),
                                            TextForms.read(ADVICE, words.text(1)))),
                    form(
                            "declare (.+) of node (\\d+) as (-?\\d+)",
                            words ->
                                    new Op.Declare(
                                            new ObjectId(words.text(1)),
                                            words.count(2),
                                            words.number(3))),
                    form(
                            "(post )?call (\\d+) to (.+) of node (\\d+) as (-?\\d+)",
                            words ->
                                    new Op.Ship(
                                            new ObjectId(words.text(3)),
                                            words.count(4),
                                            words.number(5),
                                            words.number(2),
                                            words.has(1))),
                    form(
                            "end of call (\\d+) to (.+)",
                            words -> new Op.Return(new ObjectId(words.text(2)), words.number(1))),
                    form("interrupt thread (\\d+)", words -> new Op.Interrupt(words.count(1))),
                    form("work (\\d+) ns", words -> new Op.Work(words.number(1))));

    private OpText() {}

    private static Form<Op> form(String pattern, Function<Words, Op> meaning) {
        return new Form<>(pattern, meaning);
    }

    private static ConditionId condition(Words words, int place) {
        String[] parts = words.text(place).split("/", 2);
        if (parts.length < 2) {
            throw new IllegalArgumentException(words.text(place) + " has no lock");
        }
        return new ConditionId(new LockId(parts[0]), parts[1]);
    }

    private static Op await(Words words) {
        return new Op.Await(
                new BarrierId(words.text(1)),
                words.count(2, Event.ALL_PARTIES),
                words.has(3) ? Op.UNTIL_BROKEN : words.number(4, Op.FOR_EVER),
                words.has(5) ? new Bytes(HexFormat.of().parseHex(words.text(5))) : Bytes.EMPTY);
    }
}
