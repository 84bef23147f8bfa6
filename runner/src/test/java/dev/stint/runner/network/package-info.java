@NullMarked
package dev.stint.runner.network;

import org.jspecify.annotations.NullMarked;
