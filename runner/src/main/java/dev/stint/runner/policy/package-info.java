/** What a node agent decides about pods, containers and probes, as pure functions and values. */
@NullMarked
package dev.stint.runner.policy;

import org.jspecify.annotations.NullMarked;
