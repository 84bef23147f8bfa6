/**
 * Encryption of stored objects, as an {@code EncryptionConfiguration} of Kubernetes describes it.
 */
@NullMarked
package dev.stint.apiserver.encryption;

import org.jspecify.annotations.NullMarked;
