@NullMarked
package dev.stint.embedded.bench;

import org.jspecify.annotations.NullMarked;
