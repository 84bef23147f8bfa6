/**
 * The Job controller: carries out what the engine decides (KEP-2307, KEP-3850, KEP-3998, KEP-4368).
 */
@NullMarked
package dev.stint.controllers.job;

import org.jspecify.annotations.NullMarked;
