@NullMarked
package dev.stint.runner.container.daemon;

import org.jspecify.annotations.NullMarked;
