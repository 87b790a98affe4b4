/**
 * FFT: the fast Fourier transform, whose points are dealt out anew half-way (Munin §6.5).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.fft.Fft}.
 */
@NullMarked
package io.muninn.apps.fft;

import org.jspecify.annotations.NullMarked;
