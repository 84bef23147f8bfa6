@NullMarked
package dev.stint.bench;

import org.jspecify.annotations.NullMarked;
