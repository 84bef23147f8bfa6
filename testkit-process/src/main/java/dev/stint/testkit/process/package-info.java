/**
 * A test's control plane in a JVM of its own, for tests on Java 17 and later. Its API is {@link
 * dev.stint.testkit.process.StintProcessTest} and {@link
 * dev.stint.testkit.process.RemoteControlPlane}.
 */
@NullMarked
package dev.stint.testkit.process;

import org.jspecify.annotations.NullMarked;
