@NullMarked
package dev.stint.embedded.share;

import org.jspecify.annotations.NullMarked;
