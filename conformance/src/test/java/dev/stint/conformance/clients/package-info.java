/** Real clients against the API as {@code up} serves it: over a socket, with TLS. */
@NullMarked
package dev.stint.conformance.clients;

import org.jspecify.annotations.NullMarked;
