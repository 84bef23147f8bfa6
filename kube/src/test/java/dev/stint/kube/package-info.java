@NullMarked
package dev.stint.kube;

import org.jspecify.annotations.NullMarked;
