@NullUnmarked
package dev.stint.runner.process.user;

import org.jspecify.annotations.NullUnmarked;
