/** The documents that a test applies: where they are found, and how they are read. Internal. */
@NullMarked
package dev.stint.testkit.document;

import org.jspecify.annotations.NullMarked;
