@NullMarked
package dev.stint.apiserver.webhook;

import org.jspecify.annotations.NullMarked;
