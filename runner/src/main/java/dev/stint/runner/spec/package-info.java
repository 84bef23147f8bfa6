/**
 * The parts of a pod that a node agent reads: containers, probes, resources, inputs and
 * tolerations.
 */
@NullMarked
package dev.stint.runner.spec;

import org.jspecify.annotations.NullMarked;
