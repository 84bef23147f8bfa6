@NullMarked
package dev.stint.runner.process.isolation;

import org.jspecify.annotations.NullMarked;
