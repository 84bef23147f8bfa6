@NullMarked
package dev.stint.apiserver.patch;

import org.jspecify.annotations.NullMarked;
