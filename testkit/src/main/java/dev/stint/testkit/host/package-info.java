/**
 * The parts of the machine and of the JVM that a test's control plane needs. Internal to the test
 * kit.
 */
@NullMarked
package dev.stint.testkit.host;

import org.jspecify.annotations.NullMarked;
