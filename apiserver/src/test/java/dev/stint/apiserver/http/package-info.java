@NullMarked
package dev.stint.apiserver.http;

import org.jspecify.annotations.NullMarked;
