package dev.stint.cli.flag;

import java.util.List;

/**
 * The devices of one resource.
 *
 * @param resource such as {@code nvidia.com/gpu}
 */
public record NamedDevices(String resource, List<String> ids) {}
