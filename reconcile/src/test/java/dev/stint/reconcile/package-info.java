@NullMarked
package dev.stint.reconcile;

import org.jspecify.annotations.NullMarked;
