/** Conversion of objects of custom kinds from one version to another. */
@NullMarked
package dev.stint.apiserver.conversion;

import org.jspecify.annotations.NullMarked;
