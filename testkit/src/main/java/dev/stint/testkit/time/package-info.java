/** The simulated time of a test, and waiting for answers. Internal to the test kit. */
@NullMarked
package dev.stint.testkit.time;

import org.jspecify.annotations.NullMarked;
