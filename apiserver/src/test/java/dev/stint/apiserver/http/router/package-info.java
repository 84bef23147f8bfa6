@NullMarked
package dev.stint.apiserver.http.router;

import org.jspecify.annotations.NullMarked;
