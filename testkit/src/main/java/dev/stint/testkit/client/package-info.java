/** Creates the clients of optional libraries. Internal to the test kit. */
@NullMarked
package dev.stint.testkit.client;

import org.jspecify.annotations.NullMarked;
