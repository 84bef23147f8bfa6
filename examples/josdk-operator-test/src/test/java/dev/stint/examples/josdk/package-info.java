@NullMarked
package dev.stint.examples.josdk;

import org.jspecify.annotations.NullMarked;
