/**
 * Rules in CEL: how they are compiled for a schema, what they see of objects, and their verdicts.
 */
@NullMarked
package dev.stint.apiextensions.rule;

import org.jspecify.annotations.NullMarked;
