package io.muninn.bench;

/** A measurement that failed; the message is for the user. */
final class BenchmarkFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BenchmarkFailedException(String text) {
        super(text);
    }

    BenchmarkFailedException(String text, Throwable cause) {
        super(text, cause);
    }
}
