@NullMarked
package dev.stint.apiserver.outcome;

import org.jspecify.annotations.NullMarked;
