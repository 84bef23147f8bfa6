@NullMarked
package dev.stint.console.signin;

import org.jspecify.annotations.NullMarked;
