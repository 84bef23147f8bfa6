@NullMarked
package dev.stint.harness;

import org.jspecify.annotations.NullMarked;
