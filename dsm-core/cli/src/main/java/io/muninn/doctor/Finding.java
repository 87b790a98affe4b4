package io.muninn.doctor;

/**
 * One finding about a machine.
 *
 * @param name its name, for the user and as a key
 * @param level its effect on a run
 * @param value as reported by the system
 * @param needs the remedy; empty if {@code level} is {@link Level#OK}
 */
public record Finding(String name, Level level, String value, String needs) {
    /** The effect of a finding on a run. */
    public enum Level {
        /** No effect. */
        OK("ok"),
        /** Affects some runs, or the build. */
        NOTE("note"),
        /** No program can run. */
        BAD("BAD");

        private final String word;

        Level(String word) {
            this.word = word;
        }

        /** The word that is printed. */
        public String word() {
            return word;
        }
    }

    static Finding ok(String name, String value) {
        return new Finding(name, Level.OK, value, "");
    }

    /**
     * Creates a finding of level {@link Level#OK} if {@code isFine}, otherwise of the other level
     * with its remedy.
     */
    static Finding of(String name, String value, boolean isFine, Level otherwise, String needs) {
        return isFine ? ok(name, value) : new Finding(name, otherwise, value, needs);
    }
}
