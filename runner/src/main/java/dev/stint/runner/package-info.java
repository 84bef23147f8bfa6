/**
 * The node agent: runs the pods of one node as attempts of a {@link
 * dev.stint.runner.runtime.Runtime}, and reports the results as pod statuses, as a kubelet does.
 */
@NullMarked
package dev.stint.runner;

import org.jspecify.annotations.NullMarked;
