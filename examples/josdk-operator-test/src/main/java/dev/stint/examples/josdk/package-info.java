/** An example of an operator made with Java Operator SDK, with a test that runs it. */
@NullMarked
package dev.stint.examples.josdk;

import org.jspecify.annotations.NullMarked;
