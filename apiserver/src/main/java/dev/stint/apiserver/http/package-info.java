/**
 * The HTTP layer of the API: from bytes to requests that the registry carries out, and back.
 *
 * <p>{@link dev.stint.apiserver.http.server.HttpServer} speaks HTTP; {@link
 * dev.stint.apiserver.http.router.Router} selects the handler of a request; one class for each
 * family of requests answers with a {@link dev.stint.apiserver.http.ApiResponse}.
 */
@NullMarked
package dev.stint.apiserver.http;

import org.jspecify.annotations.NullMarked;
