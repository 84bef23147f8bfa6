/** Resource quotas: what they may say, what objects use, and whether a quota still has room. */
@NullMarked
package dev.stint.model.quota;

import org.jspecify.annotations.NullMarked;
