/** Ties tests to the requirements in {@code conformance/requirements.tsv}. */
@NullMarked
package dev.stint.covers;

import org.jspecify.annotations.NullMarked;
