@NullMarked
package dev.stint.testkit.host;

import org.jspecify.annotations.NullMarked;
