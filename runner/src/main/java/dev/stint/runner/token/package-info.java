/** Tokens of service accounts in the volumes of pods. */
@NullMarked
package dev.stint.runner.token;

import org.jspecify.annotations.NullMarked;
