/** Tests of the commands that replace keys, certificates and tokens. */
@NullMarked
package dev.stint.cli.keys;

import org.jspecify.annotations.NullMarked;
