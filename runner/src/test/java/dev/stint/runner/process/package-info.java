@NullMarked
package dev.stint.runner.process;

import org.jspecify.annotations.NullMarked;
