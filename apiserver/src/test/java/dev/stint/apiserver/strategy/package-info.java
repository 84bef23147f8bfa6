@NullMarked
package dev.stint.apiserver.strategy;

import org.jspecify.annotations.NullMarked;
