package io.muninn.ipc;

import io.muninn.api.Advice;
import io.muninn.api.spi.PageAdvice;
import io.muninn.wire.MalformedMessageException;

/** {@link PageAdvice} encoded as the two numbers and the name of {@link Call#ADVISE}. */
public final class AdviceCode {
    private static final int AUTOMATIC = 0;
    private static final int FLUSH = 1;
    private static final int INVALIDATE = 2;
    private static final int CLEAR = 3;
    private static final int ADD = 4;
    private static final int REMOVE = 5;
    private static final int GUARDED = 6;

    private AdviceCode() {}

    public static int kind(PageAdvice advice) {
        return switch (advice) {
            case PageAdvice.Coherence(Advice coherence) ->
                    switch (coherence) {
                        case AUTOMATIC -> AUTOMATIC;
                        case FLUSH -> FLUSH;
                        case INVALIDATE -> INVALIDATE;
                    };
            case PageAdvice.ClearReaders() -> CLEAR;
            case PageAdvice.AddReader _ -> ADD;
            case PageAdvice.RemoveReader _ -> REMOVE;
            case PageAdvice.GuardedBy _ -> GUARDED;
        };
    }

    /** The node of the advice; 0 if it names none. */
    public static int node(PageAdvice advice) {
        return switch (advice) {
            case PageAdvice.AddReader(int node) -> node;
            case PageAdvice.RemoveReader(int node) -> node;
            case PageAdvice.Coherence _, PageAdvice.ClearReaders(), PageAdvice.GuardedBy _ -> 0;
        };
    }

    /** The lock of the advice; empty if it names none. */
    public static String lock(PageAdvice advice) {
        return advice instanceof PageAdvice.GuardedBy(String lock) ? lock : "";
    }

    /**
     * @throws MalformedMessageException if there is no advice of that kind
     */
    public static PageAdvice of(int kind, int node, String lock) {
        return switch (kind) {
            case AUTOMATIC -> new PageAdvice.Coherence(Advice.AUTOMATIC);
            case FLUSH -> new PageAdvice.Coherence(Advice.FLUSH);
            case INVALIDATE -> new PageAdvice.Coherence(Advice.INVALIDATE);
            case CLEAR -> new PageAdvice.ClearReaders();
            case ADD -> new PageAdvice.AddReader(node);
            case REMOVE -> new PageAdvice.RemoveReader(node);
            case GUARDED -> new PageAdvice.GuardedBy(lock);
            default -> throw new MalformedMessageException("advice of kind " + kind);
        };
    }
}
