/** The command blocks of README and documents, carried out as a reader would. */
@NullMarked
package dev.stint.cli.documents;

import org.jspecify.annotations.NullMarked;
