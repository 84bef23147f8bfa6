/**
 * What is particular to each kind on its way into the store: defaults, validation, what a status
 * write may change, warnings.
 */
@NullMarked
package dev.stint.apiserver.strategy;

import org.jspecify.annotations.NullMarked;
