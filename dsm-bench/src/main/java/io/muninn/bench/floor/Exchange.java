package io.muninn.bench.floor;

/**
 * A request and its reply, as bytes alone.
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

    /** As {@link #toString} writes it. */
    static Exchange parse(String text) {
        String[] parts = text.split(MARK);
        return new Exchange(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }

    @Override
    public String toString() {
        return requestBytes + MARK + replyBytes;
    }
}
