@NullMarked
package dev.stint.kube.http;

import org.jspecify.annotations.NullMarked;
