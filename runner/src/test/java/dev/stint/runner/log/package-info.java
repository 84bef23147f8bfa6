@NullMarked
package dev.stint.runner.log;

import org.jspecify.annotations.NullMarked;
