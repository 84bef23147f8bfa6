/** Kinds that this program keeps for other programs: their defaults and rules. */
@NullMarked
package dev.stint.model.kept;

import org.jspecify.annotations.NullMarked;
