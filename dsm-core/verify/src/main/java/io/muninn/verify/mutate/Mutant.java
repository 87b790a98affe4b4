package io.muninn.verify.mutate;

/**
 * A small change of the kernel's byte code, at one place.
 *
 * @param className with its package, as in {@code io.muninn.sync.ProgramMessages}
 * @param method with its descriptor
 * @param index index of the changed element in the method's code
 * @param line line of the source
 * @param kind the kind of edit
 * @param detail describes the exact change
 */
public record Mutant(
        String className, String method, int index, int line, Kind kind, String detail) {
    /** Kinds of edits. */
    public enum Kind {
        NEGATED_CONDITION("negated condition"),
        SHIFTED_BOUNDARY("shifted boundary"),
        CHANGED_CONSTANT("changed constant"),
        REMOVED_CALL("removed call"),
        REMOVED_ASSIGNMENT("removed assignment"),
        EARLY_RETURN("early return");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    private static final String ROOT = "io.muninn.";

    /** Class, method and line, as in {@code sync.ProgramMessages.onLetter:103}. */
    public String place() {
        return className.substring(ROOT.length())
                + "."
                + method.substring(0, method.indexOf('('))
                + ":"
                + line;
    }

    @Override
    public String toString() {
        return place() + "  " + kind + (detail.isEmpty() ? "" : ": " + detail);
    }
}
