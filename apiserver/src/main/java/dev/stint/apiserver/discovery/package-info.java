/** What the API says of itself: its resources and its version. */
@NullMarked
package dev.stint.apiserver.discovery;

import org.jspecify.annotations.NullMarked;
