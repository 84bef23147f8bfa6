/** The rules for structural schemas. */
@NullMarked
package dev.stint.apiextensions.structure;

import org.jspecify.annotations.NullMarked;
