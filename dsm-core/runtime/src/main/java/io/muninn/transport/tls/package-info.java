/**
 * TLS 1.3 on the links between machines: whom it covers, certificates, and what a session proves.
 */
@NullMarked
package io.muninn.transport.tls;

import org.jspecify.annotations.NullMarked;
