@NullMarked
package dev.stint.runner.proc;

import org.jspecify.annotations.NullMarked;
