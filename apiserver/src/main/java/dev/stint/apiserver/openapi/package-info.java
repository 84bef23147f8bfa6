/** The schemas of objects in OpenAPI v3: for {@code kubectl explain}, apply and diff. */
@NullMarked
package dev.stint.apiserver.openapi;

import org.jspecify.annotations.NullMarked;
