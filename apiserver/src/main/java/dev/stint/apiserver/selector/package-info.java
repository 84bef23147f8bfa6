/** Label selectors and field selectors in URLs: parsed once, matched often. */
@NullMarked
package dev.stint.apiserver.selector;

import org.jspecify.annotations.NullMarked;
