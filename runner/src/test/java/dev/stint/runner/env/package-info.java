@NullMarked
package dev.stint.runner.env;

import org.jspecify.annotations.NullMarked;
