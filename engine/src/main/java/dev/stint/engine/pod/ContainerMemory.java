package dev.stint.engine.pod;

import dev.stint.model.job.options.MemoryGrowth;

/**
 * The memory of a container, in bytes.
 *
 * @param request 0 if it has none
 * @param limit 0 if it has none
 * @param exhausted whether the container ended since it needed more
 */
public record ContainerMemory(String container, long request, long limit, boolean exhausted) {
  /** Returns the larger of both. */
  public long size() {
    return Math.max(request, limit);
  }

  /** Returns the memory of the same container in the next pod. */
  public ContainerMemory next(MemoryGrowth growth) {
    return exhausted
        ? new ContainerMemory(container, growth.next(request), growth.next(limit), false)
        : this;
  }
}
