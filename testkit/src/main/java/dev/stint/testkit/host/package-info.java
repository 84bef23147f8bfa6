/**
 * What a control plane of a test needs of the machine and of the JVM that it runs in. Internal to
 * the test kit.
 */
@NullMarked
package dev.stint.testkit.host;

import org.jspecify.annotations.NullMarked;
