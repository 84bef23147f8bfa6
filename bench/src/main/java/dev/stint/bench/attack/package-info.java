/** Attacks on a running server, by a client with few rights ({@code bench/attack}). */
@NullMarked
package dev.stint.bench.attack;

import org.jspecify.annotations.NullMarked;
