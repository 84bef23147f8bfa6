/** What the kinds are that Jobs lean on: leases, priority classes, nodes. */
@NullMarked
package dev.stint.model.support;

import org.jspecify.annotations.NullMarked;
