@NullMarked
package dev.stint.cluster;

import org.jspecify.annotations.NullMarked;
