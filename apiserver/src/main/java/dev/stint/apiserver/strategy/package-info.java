/**
 * The rules of each kind for writes: defaults, validation, the permitted changes of a status write,
 * warnings.
 */
@NullMarked
package dev.stint.apiserver.strategy;

import org.jspecify.annotations.NullMarked;
