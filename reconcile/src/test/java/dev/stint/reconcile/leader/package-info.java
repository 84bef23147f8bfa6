@NullMarked
package dev.stint.reconcile.leader;

import org.jspecify.annotations.NullMarked;
