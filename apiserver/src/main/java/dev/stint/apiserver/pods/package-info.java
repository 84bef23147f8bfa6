/** The port to whoever runs pods: their logs, and commands in them. */
@NullMarked
package dev.stint.apiserver.pods;

import org.jspecify.annotations.NullMarked;
