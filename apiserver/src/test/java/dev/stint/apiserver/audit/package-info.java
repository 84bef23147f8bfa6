@NullMarked
package dev.stint.apiserver.audit;

import org.jspecify.annotations.NullMarked;
