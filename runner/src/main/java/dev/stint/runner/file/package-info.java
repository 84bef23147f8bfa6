/**
 * Files that pods may change while this program works on them: opened step by step, and used by
 * their handles, so that no link that is swapped in leads anywhere else. Linux only.
 */
@NullMarked
package dev.stint.runner.file;

import org.jspecify.annotations.NullMarked;
