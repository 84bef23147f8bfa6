@NullMarked
package dev.stint.runner.volume;

import org.jspecify.annotations.NullMarked;
