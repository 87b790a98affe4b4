package io.muninn.apps.fft;

/**
 * Where some points lie: point {@code k} of the slice is row {@code first + k * stride}.
 *
 * @param first row of point 0
 * @param stride rows from one point to the next
 * @param length points of the slice
 * @param before points of the whole transform, at this stride, that come before the slice; decides
 *     by which roots of unity its points are turned
 */
record FftSlice(int first, int stride, int length, int before) {
    int row(int point) {
        return first + point * stride;
    }
}
