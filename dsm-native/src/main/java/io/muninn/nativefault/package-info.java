/**
 * The page-fault engine: maps regions in an application, traps its accesses, and lets the agent set
 * the access of each page.
 *
 * <p>It deals with pages, access and faults, and does not depend on the reasons for a change of
 * access. This package may import {@code io.muninn.model} and JNA; start reading at {@link
 * io.muninn.nativefault.FaultEngine} and, on the application's side, {@link
 * io.muninn.nativefault.ApplicationMapping}.
 */
@NullMarked
package io.muninn.nativefault;

import org.jspecify.annotations.NullMarked;
