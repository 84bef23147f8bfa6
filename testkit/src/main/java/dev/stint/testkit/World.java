package dev.stint.testkit;

import dev.stint.embedded.ControlPlane;
import dev.stint.runner.SimulatedRuntime;
import dev.stint.store.SimulatedEngine;
import dev.stint.store.StoreException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** One control plane in memory, and what a test does with it. */
record World(ControlPlane plane, Jobs jobs) implements AutoCloseable {
  private static final int START_SECONDS = 30;

  static World start(ControlPlane.Options options) {
    try {
      ControlPlane plane = new ControlPlane(new SimulatedEngine(), options);
      Jobs jobs = new Jobs(plane.cluster());
      SimulatedRuntime runtime =
          new SimulatedRuntime(jobs::play, new SplittableRandom(1), plane.clock(), plane.timers());
      plane.start(runtime).orTimeout(START_SECONDS, TimeUnit.SECONDS).join();
      return new World(plane, jobs);
    } catch (StoreException impossible) {
      throw new IllegalStateException("a store in memory could not be read", impossible);
    }
  }

  @Override
  public void close() {
    plane.close();
  }
}
