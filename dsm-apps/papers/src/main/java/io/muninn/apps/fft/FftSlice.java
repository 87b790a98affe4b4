package io.muninn.apps.fft;

/**
 * The rows of some points: point {@code k} of the slice is row {@code first + k * stride}.
 *
 * @param first row of point 0
 * @param stride distance in rows from one point to the next
 * @param length number of points of the slice
 * @param before number of points of the whole transform, at this stride, that precede the slice;
 *     determines the roots of unity of its butterflies
 */
record FftSlice(int first, int stride, int length, int before) {
    int row(int point) {
        return first + point * stride;
    }
}
