/**
 * The audit trail: which requests are recorded (the policy), what is recorded of them (events of
 * {@code audit.k8s.io/v1}), and the files that hold it.
 */
@NullMarked
package dev.stint.apiserver.audit;

import org.jspecify.annotations.NullMarked;
