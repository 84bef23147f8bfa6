@NullMarked
package dev.stint.apiserver.flowcontrol;

import org.jspecify.annotations.NullMarked;
