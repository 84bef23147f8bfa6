/**
 * The handlers of requests about objects: read, write, patch, delete, watch, discovery and access
 * reviews.
 */
@NullMarked
package dev.stint.apiserver.http.handler;

import org.jspecify.annotations.NullMarked;
