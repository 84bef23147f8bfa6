@NullMarked
package dev.stint.apiserver.http.view;

import org.jspecify.annotations.NullMarked;
