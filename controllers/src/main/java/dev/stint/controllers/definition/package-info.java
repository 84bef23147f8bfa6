/** Definitions of custom resources: their deletion. */
@NullMarked
package dev.stint.controllers.definition;

import org.jspecify.annotations.NullMarked;
