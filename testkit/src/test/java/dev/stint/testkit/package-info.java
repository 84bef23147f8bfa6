@NullMarked
package dev.stint.testkit;

import org.jspecify.annotations.NullMarked;
