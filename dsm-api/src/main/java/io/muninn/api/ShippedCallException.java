package io.muninn.api;

/**
 * A shipped call threw on the node that serves the object. As a cause it is the exception as it was
 * there: its text is that exception's type and message, its stack trace the frames over there, and
 * its own cause, if any, was that one's cause. Thrown itself, around such a cause, it stands for an
 * exception that cannot be thrown again as it was: its type has no public constructor of one {@code
 * String}, is not known on this node, or is neither unchecked nor declared by the method.
 */
public class ShippedCallException extends DsmException {
    private static final long serialVersionUID = 1L;

    private final String type;

    /**
     * @param type binary name of the type of what was thrown
     * @param text for a person
     */
    public ShippedCallException(String type, String text) {
        super(text);
        this.type = type;
    }

    /** Binary name of the type of what was thrown, such as {@code java.sql.SQLException}. */
    public String type() {
        return type;
    }
}
