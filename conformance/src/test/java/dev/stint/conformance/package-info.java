@NullMarked
package dev.stint.conformance;

import org.jspecify.annotations.NullMarked;
