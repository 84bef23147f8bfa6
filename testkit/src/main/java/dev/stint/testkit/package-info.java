/**
 * Tests against a Kubernetes API with a real Job controller, all inside the test's process. Start
 * from {@link dev.stint.testkit.StintTest}.
 */
@NullMarked
package dev.stint.testkit;

import org.jspecify.annotations.NullMarked;
