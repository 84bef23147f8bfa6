@NullMarked
package dev.stint.runner.process.shim;

import org.jspecify.annotations.NullMarked;
