/** The status of a pod, as a kubelet words it. */
@NullMarked
package dev.stint.runner.status;

import org.jspecify.annotations.NullMarked;
