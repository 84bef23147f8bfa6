/** Tests of the API. */
@NullMarked
package dev.stint.apiserver;

import org.jspecify.annotations.NullMarked;
