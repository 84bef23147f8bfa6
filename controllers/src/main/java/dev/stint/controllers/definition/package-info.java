/** Definitions of custom resources: their deletion, and names that several of them ask for. */
@NullMarked
package dev.stint.controllers.definition;

import org.jspecify.annotations.NullMarked;
