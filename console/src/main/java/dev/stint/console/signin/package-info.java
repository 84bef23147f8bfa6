/** Signing in to the console: single-use links, sessions, and the check of a request's origin. */
@NullMarked
package dev.stint.console.signin;

import org.jspecify.annotations.NullMarked;
