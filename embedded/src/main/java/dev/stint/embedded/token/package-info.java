/** Tokens of service accounts for the pods of this machine. */
@NullMarked
package dev.stint.embedded.token;

import org.jspecify.annotations.NullMarked;
