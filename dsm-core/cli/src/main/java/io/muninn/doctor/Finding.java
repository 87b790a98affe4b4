package io.muninn.doctor;

/**
 * One thing about a machine.
 *
 * @param name what it is, for people and as a key
 * @param level what it means for a run
 * @param value as the system tells it
 * @param needs what would make it better; empty if {@code level} is {@link Level#OK}
 */
public record Finding(String name, Level level, String value, String needs) {
    /** What a finding means for a run. */
    public enum Level {
        /** Nothing to say. */
        OK("ok"),
        /** Some runs meet it, or the build does. */
        NOTE("note"),
        /** Nothing runs. */
        BAD("BAD");

        private final String word;

        Level(String word) {
            this.word = word;
        }

        /** As it is printed. */
        public String word() {
            return word;
        }
    }

    static Finding ok(String name, String value) {
        return new Finding(name, Level.OK, value, "");
    }

    /** {@link Level#OK} if that is so, and otherwise the level with what is needed. */
    static Finding of(String name, String value, boolean isFine, Level otherwise, String needs) {
        return isFine ? ok(name, value) : new Finding(name, otherwise, value, needs);
    }
}
