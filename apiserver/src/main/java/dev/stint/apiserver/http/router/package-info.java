/** The path of a request to its handler: metrics, authentication and authorization, routing. */
@NullMarked
package dev.stint.apiserver.http.router;

import org.jspecify.annotations.NullMarked;
