/** The names and addresses by which pods of this machine find each other. */
@NullMarked
package dev.stint.runner.network;

import org.jspecify.annotations.NullMarked;
