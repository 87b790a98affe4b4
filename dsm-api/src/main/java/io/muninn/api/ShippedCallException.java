package io.muninn.api;

/**
 * A shipped call threw an exception on the node that serves the object. As a cause, it describes
 * that exception: its message is the original type and message, its stack trace has the frames of
 * the serving node, and its cause, if any, is the original cause. If thrown itself, with such a
 * cause, it replaces an exception that cannot be rethrown with its own type: the type has no public
 * constructor with one {@code String}, is not known on this node, or is neither unchecked nor
 * declared by the method.
 */
public class ShippedCallException extends DsmException {
    private static final long serialVersionUID = 1L;

    private final String type;

    /**
     * @param type binary name of the original exception's type
     * @param text message for the user
     */
    public ShippedCallException(String type, String text) {
        super(text);
        this.type = type;
    }

    /** Binary name of the original exception's type, such as {@code java.sql.SQLException}. */
    public String type() {
        return type;
    }
}
