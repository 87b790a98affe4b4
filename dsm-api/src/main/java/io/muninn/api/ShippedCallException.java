package io.muninn.api;

/**
 * An exception of another node: a shipped call, or the body of a loop, threw it there. As a cause
 * or a suppressed exception, it describes the original: its message is the original type and
 * message, its stack trace has the frames of that node, and its cause and its suppressed exceptions
 * describe the original's.
 *
 * <p>If thrown itself, with such a description as its cause, it replaces an exception that cannot
 * be rethrown with its own type. {@link #type} is the original type, and the message contains the
 * original message. The reason is one of these:
 *
 * <ul>
 *   <li>The type is not known on this node, or is neither unchecked nor declared by the method.
 *   <li>No constructor makes an exception that is equal to the original. Those that are tried have
 *       the parameters {@code (String, Throwable)}, {@code (String)} and none, with any access.
 *       Equal are type, message, {@code toString} and the fields. So a type does not travel if its
 *       constructor changes the message, or if its fields have other values than the constructor
 *       gives them. {@code transient} fields are not compared, and arrive as the constructor leaves
 *       them. Where fields are not accessible, as in the JDK, public getters are compared.
 *   <li>The message is longer than 65 536 characters, the rest of which is left out.
 * </ul>
 *
 * <p>An exception arrives with up to 32 descriptions of causes and suppressed exceptions.
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
