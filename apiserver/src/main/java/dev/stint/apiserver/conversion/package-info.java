/** How objects of custom kinds get from one version to another. */
@NullMarked
package dev.stint.apiserver.conversion;

import org.jspecify.annotations.NullMarked;
