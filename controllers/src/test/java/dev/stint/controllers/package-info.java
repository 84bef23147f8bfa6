@NullMarked
package dev.stint.controllers;

import org.jspecify.annotations.NullMarked;
