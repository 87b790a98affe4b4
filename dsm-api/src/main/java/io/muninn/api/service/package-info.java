/**
 * What a program asks of its node, over whatever kernel the node has: live, simulated, or that of a
 * single process. The logic is here, once; each kernel implements the links.
 *
 * <p>Applications do not use this package. It may import {@code io.muninn.api} and {@code
 * io.muninn.model}; start reading at {@link io.muninn.api.service.KernelLink}.
 */
@NullMarked
package io.muninn.api.service;

import org.jspecify.annotations.NullMarked;
