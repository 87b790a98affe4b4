/**
 * FFT: the fast Fourier transform with a redistribution of the points half-way (Munin §6.5), and
 * the transform in six steps, over the rows and columns of a matrix (Mowry, section 2.3).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.fft.Fft} and {@link io.muninn.apps.fft.SixRows}.
 */
@NullMarked
package io.muninn.apps.fft;

import org.jspecify.annotations.NullMarked;
