/**
 * Controllers that delete unneeded objects: dependents without owners, finished Jobs and pods, old
 * events.
 */
@NullMarked
package dev.stint.controllers.gc;

import org.jspecify.annotations.NullMarked;
