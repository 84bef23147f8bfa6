@NullMarked
package dev.stint.runner.spec;

import org.jspecify.annotations.NullMarked;
