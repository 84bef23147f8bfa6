/** The port through which the API reaches running pods: their logs, and commands in them. */
@NullMarked
package dev.stint.apiserver.pods;

import org.jspecify.annotations.NullMarked;
