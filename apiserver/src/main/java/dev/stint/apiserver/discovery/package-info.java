/** Discovery: the API's resources and its version. */
@NullMarked
package dev.stint.apiserver.discovery;

import org.jspecify.annotations.NullMarked;
