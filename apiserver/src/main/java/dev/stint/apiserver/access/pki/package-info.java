/** Keys, certificates and the tokens that they sign: those of a data directory, and given ones. */
@NullMarked
package dev.stint.apiserver.access.pki;

import org.jspecify.annotations.NullMarked;
