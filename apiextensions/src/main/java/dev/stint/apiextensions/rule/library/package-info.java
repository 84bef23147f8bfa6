/** The functions that Kubernetes adds to CEL, and a meter of what they cost. */
@NullMarked
package dev.stint.apiextensions.rule.library;

import org.jspecify.annotations.NullMarked;
