/** Tests of selectors. */
@NullMarked
package dev.stint.apiserver.selector;

import org.jspecify.annotations.NullMarked;
