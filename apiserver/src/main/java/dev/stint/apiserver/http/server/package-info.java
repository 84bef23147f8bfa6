/** The HTTP server, and the limits on what clients may ask of it. */
@NullMarked
package dev.stint.apiserver.http.server;

import org.jspecify.annotations.NullMarked;
