@NullMarked
package dev.stint.apiserver.conversion;

import org.jspecify.annotations.NullMarked;
