@NullMarked
package dev.stint.runner;

import org.jspecify.annotations.NullMarked;
