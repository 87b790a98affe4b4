/**
 * The services of a node, over any kernel: live, simulated, or that of a single process. They are
 * implemented once, here; each kernel implements the links.
 *
 * <p>Applications do not use this package. It may import {@code io.muninn.api} and {@code
 * io.muninn.model}; start reading at {@link io.muninn.api.service.KernelLink}.
 */
@NullMarked
package io.muninn.api.service;

import org.jspecify.annotations.NullMarked;
