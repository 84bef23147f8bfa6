@NullMarked
package dev.stint.apiserver.http.server;

import org.jspecify.annotations.NullMarked;
