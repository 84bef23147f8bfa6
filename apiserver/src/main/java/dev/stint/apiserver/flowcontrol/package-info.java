/** API Priority and Fairness: its objects, and what they decide about requests. */
@NullMarked
package dev.stint.apiserver.flowcontrol;

import org.jspecify.annotations.NullMarked;
