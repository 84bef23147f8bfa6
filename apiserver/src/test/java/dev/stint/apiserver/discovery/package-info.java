/** Tests of discovery. */
@NullMarked
package dev.stint.apiserver.discovery;

import org.jspecify.annotations.NullMarked;
