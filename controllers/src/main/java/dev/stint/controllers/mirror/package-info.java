/**
 * Jobs that one cluster, the manager, hands to another one, the worker (KEP-4368, Story 1): what
 * the copy on the worker is, what the manager's Job is told of it, and what to do next. Pure
 * decisions; {@link dev.stint.controllers.mirror.MirrorController} acts on them.
 */
@NullMarked
package dev.stint.controllers.mirror;

import org.jspecify.annotations.NullMarked;
