package dev.stint.simulation;

import java.time.Duration;
import java.util.SortedMap;

/**
 * The steps, the time and the faults of a world.
 *
 * @param steps how many tasks and timers ran
 * @param simulated the time that passed in the world
 * @param faults how often each kind of fault happened
 */
public record PlayedWorld(int steps, Duration simulated, SortedMap<String, Integer> faults) {}
