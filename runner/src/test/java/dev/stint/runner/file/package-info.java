@NullMarked
package dev.stint.runner.file;

import org.jspecify.annotations.NullMarked;
