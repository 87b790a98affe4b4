/**
 * The page-fault engine: maps regions in an application, traps its accesses, and lets the agent
 * decide page by page what the application's threads may do.
 *
 * <p>It knows pages, access and faults, and nothing about why an access changes. This package may
 * import {@code io.muninn.model} and JNA; start reading at {@link
 * io.muninn.nativefault.FaultEngine} and, on the application's side, {@link
 * io.muninn.nativefault.ApplicationMapping}.
 */
@NullMarked
package io.muninn.nativefault;

import org.jspecify.annotations.NullMarked;
