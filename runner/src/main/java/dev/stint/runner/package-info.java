/**
 * The node agent: pods of one node become attempts of a {@link dev.stint.runner.runtime.Runtime},
 * and what becomes of these becomes pod statuses, as a kubelet reports them.
 */
@NullMarked
package dev.stint.runner;

import org.jspecify.annotations.NullMarked;
