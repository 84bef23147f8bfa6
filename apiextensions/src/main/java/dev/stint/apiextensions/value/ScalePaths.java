package dev.stint.apiextensions.value;

/**
 * The fields behind the scale subresource.
 *
 * @param labelSelectorPath "" for none
 */
public record ScalePaths(
    String specReplicasPath, String statusReplicasPath, String labelSelectorPath) {}
