/** The Pod Security Standards of Kubernetes 1.36: one file for each check. */
@NullMarked
package dev.stint.model.podsecurity;

import org.jspecify.annotations.NullMarked;
