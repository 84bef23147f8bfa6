@NullMarked
package dev.stint.apiserver.http.pod;

import org.jspecify.annotations.NullMarked;
