package dev.stint.cli.flag;

import dev.stint.apiserver.selector.LabelSelector;

/**
 * The labels of the Jobs that a worker takes.
 *
 * @param name of the worker
 */
public record NamedSelector(String name, LabelSelector selector) {}
