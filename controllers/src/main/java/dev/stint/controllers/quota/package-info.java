/** The controller of resource quotas. */
@NullMarked
package dev.stint.controllers.quota;

import org.jspecify.annotations.NullMarked;
