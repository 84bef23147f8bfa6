/** What a node agent reads of a pod: its containers, probes, resources, inputs and tolerations. */
@NullMarked
package dev.stint.runner.spec;

import org.jspecify.annotations.NullMarked;
