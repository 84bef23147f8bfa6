/** The schemas of custom resources as they are written: OpenAPI v3 with Kubernetes' extensions. */
@NullMarked
package dev.stint.apiextensions.schema;

import org.jspecify.annotations.NullMarked;
