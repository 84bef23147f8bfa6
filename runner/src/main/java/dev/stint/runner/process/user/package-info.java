/** The users of this machine that pods run as. */
@NullMarked
package dev.stint.runner.process.user;

import org.jspecify.annotations.NullMarked;
