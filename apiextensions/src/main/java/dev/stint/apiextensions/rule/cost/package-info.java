/**
 * What rules in CEL cost: before they run, by the sizes that a schema allows, and while they do.
 */
@NullMarked
package dev.stint.apiextensions.rule.cost;

import org.jspecify.annotations.NullMarked;
