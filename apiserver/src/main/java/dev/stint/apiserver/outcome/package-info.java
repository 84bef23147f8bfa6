/** The outcome of a creation, a change or a deletion, for all kinds alike. */
@NullMarked
package dev.stint.apiserver.outcome;

import org.jspecify.annotations.NullMarked;
