/** Rules of flow schemas and priority levels (API Priority and Fairness). */
@NullMarked
package dev.stint.model.flowcontrol;

import org.jspecify.annotations.NullMarked;
