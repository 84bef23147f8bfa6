package dev.stint.runner.volume;

/**
 * What a machine has: the limits of containers that have none.
 *
 * @param cpus cores
 * @param memory bytes
 * @param storage bytes of the file system that pods write to
 */
public record Capacity(int cpus, long memory, long storage) {}
