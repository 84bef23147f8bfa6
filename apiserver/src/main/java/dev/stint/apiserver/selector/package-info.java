/** Label selectors and field selectors as they stand in URLs: read once, asked often. */
@NullMarked
package dev.stint.apiserver.selector;

import org.jspecify.annotations.NullMarked;
