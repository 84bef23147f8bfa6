/** Tests of OpenAPI documents. */
@NullMarked
package dev.stint.apiserver.openapi;

import org.jspecify.annotations.NullMarked;
