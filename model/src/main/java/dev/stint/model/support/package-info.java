/** The supporting kinds of Jobs, such as leases, priority classes and nodes. */
@NullMarked
package dev.stint.model.support;

import org.jspecify.annotations.NullMarked;
