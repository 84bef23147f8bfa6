@NullMarked
package dev.stint.apiserver.http.handler;

import org.jspecify.annotations.NullMarked;
