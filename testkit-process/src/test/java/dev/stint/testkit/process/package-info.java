@NullMarked
package dev.stint.testkit.process;

import org.jspecify.annotations.NullMarked;
