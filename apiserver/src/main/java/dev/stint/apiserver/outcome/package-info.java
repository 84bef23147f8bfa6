/** What a creation, a change or a deletion makes of an object, for all kinds alike. */
@NullMarked
package dev.stint.apiserver.outcome;

import org.jspecify.annotations.NullMarked;
