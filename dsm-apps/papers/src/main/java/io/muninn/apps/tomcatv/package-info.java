/**
 * TOMCATV: generation of a mesh around a body, as parallel loops (CVM, Table 1).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.tomcatv.TomcatvLoops}.
 */
@NullMarked
package io.muninn.apps.tomcatv;

import org.jspecify.annotations.NullMarked;
