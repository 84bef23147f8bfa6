@NullMarked
package dev.stint.controllers.cronjob;

import org.jspecify.annotations.NullMarked;
