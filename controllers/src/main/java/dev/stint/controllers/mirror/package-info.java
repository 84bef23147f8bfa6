/**
 * Jobs that one cluster, the manager, hands to another one, the worker (KEP-4368, Story 1): the
 * copy on the worker, the status for the manager's Job, and the next step. All decisions are pure;
 * {@link dev.stint.controllers.mirror.MirrorController} acts on them.
 */
@NullMarked
package dev.stint.controllers.mirror;

import org.jspecify.annotations.NullMarked;
