@NullMarked
package dev.stint.cli.doctor;

import org.jspecify.annotations.NullMarked;
