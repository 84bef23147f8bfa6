/** The costs of rules in CEL: estimated by the sizes that a schema allows, and counted in a run. */
@NullMarked
package dev.stint.apiextensions.rule.cost;

import org.jspecify.annotations.NullMarked;
