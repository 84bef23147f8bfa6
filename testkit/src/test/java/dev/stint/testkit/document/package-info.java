@NullMarked
package dev.stint.testkit.document;

import org.jspecify.annotations.NullMarked;
