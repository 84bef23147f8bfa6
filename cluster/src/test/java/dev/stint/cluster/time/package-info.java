@NullMarked
package dev.stint.cluster.time;

import org.jspecify.annotations.NullMarked;
