@NullMarked
package dev.stint.runner.policy;

import org.jspecify.annotations.NullMarked;
