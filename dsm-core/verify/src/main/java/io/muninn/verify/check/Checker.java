package io.muninn.verify.check;

import io.muninn.sim.Observer;
import io.muninn.sim.Violation;

/** An observer that holds one promise against what happens in one run. */
public interface Checker extends Observer {
    /** As in the table of {@link Checkers}. */
    String name();

    /**
     * What to throw when the promise is broken.
     *
     * @param text with node, page, value; what was expected, and why
     */
    default Violation violation(String text) {
        return new Violation(name(), text);
    }
}
