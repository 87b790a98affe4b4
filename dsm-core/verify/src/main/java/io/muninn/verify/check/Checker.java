package io.muninn.verify.check;

import io.muninn.sim.Observer;
import io.muninn.sim.Violation;

/** An observer that checks one promise during one run. */
public interface Checker extends Observer {
    /** The checker's name in the table of {@link Checkers}. */
    String name();

    /**
     * Creates the violation to throw when the promise is broken.
     *
     * @param text describes node, page and value; what was expected, and why
     */
    default Violation violation(String text) {
        return new Violation(name(), text);
    }
}
