/** Calls to webhooks: where they are, whom to trust, and how much they may answer. */
@NullMarked
package dev.stint.apiserver.webhook;

import org.jspecify.annotations.NullMarked;
