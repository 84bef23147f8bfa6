package dev.stint.apiextensions.schema;

import org.jspecify.annotations.Nullable;

/**
 * One of {@code x-kubernetes-validations}.
 *
 * @param rule the condition in CEL
 * @param message null if there is none, as for all that follow
 * @param messageExpression a text in CEL, which replaces the message
 * @param reason the cause of the fault
 * @param fieldPath the field at fault, below the place of the rule
 * @param optionalOldSelf whether a transition rule is evaluated for new values too
 */
public record ValidationRule(
    String rule,
    @Nullable String message,
    @Nullable String messageExpression,
    @Nullable String reason,
    @Nullable String fieldPath,
    @Nullable Boolean optionalOldSelf) {}
