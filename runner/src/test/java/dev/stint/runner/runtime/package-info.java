@NullMarked
package dev.stint.runner.runtime;

import org.jspecify.annotations.NullMarked;
