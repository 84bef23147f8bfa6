/** Files with Kubernetes objects, and {@code stint validate}. */
@NullMarked
package dev.stint.cli.file;

import org.jspecify.annotations.NullMarked;
