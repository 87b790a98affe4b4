package io.muninn.bench.floor;

/**
 * The sizes of a request and its reply.
 *
 * @param requestBytes at least 1
 * @param replyBytes at least 1
 */
public record Exchange(int requestBytes, int replyBytes) {
    private static final String MARK = ":";

    public Exchange {
        if (requestBytes < 1 || replyBytes < 1) {
            throw new IllegalArgumentException(
                    "an exchange of " + requestBytes + " and " + replyBytes + " bytes");
        }
    }

    /** Parses the text that {@link #toString} writes. */
    static Exchange parse(String text) {
        String[] parts = text.split(MARK);
        return new Exchange(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }

    @Override
    public String toString() {
        return requestBytes + MARK + replyBytes;
    }
}
