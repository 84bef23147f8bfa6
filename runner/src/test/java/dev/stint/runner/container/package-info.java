@NullMarked
package dev.stint.runner.container;

import org.jspecify.annotations.NullMarked;
