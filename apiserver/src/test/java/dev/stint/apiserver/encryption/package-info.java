/** Tests of the encryption of stored objects. */
@NullMarked
package dev.stint.apiserver.encryption;

import org.jspecify.annotations.NullMarked;
