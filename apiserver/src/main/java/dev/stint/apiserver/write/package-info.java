/** The options of a write, and what it collects for the user and for the audit log. */
@NullMarked
package dev.stint.apiserver.write;

import org.jspecify.annotations.NullMarked;
