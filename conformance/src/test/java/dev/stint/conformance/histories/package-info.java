/**
 * Records histories of Jobs under the Job controller of Kubernetes, and replays them under ours.
 */
@NullMarked
package dev.stint.conformance.histories;

import org.jspecify.annotations.NullMarked;
