package dev.stint.bench.kills;

import java.io.IOException;
import java.util.random.RandomGenerator;

/** How many kills are still to come, and how many of them take the whole machine. */
final class KillPlan {
  private int kills;
  private int losses;

  KillPlan(int kills, int losses) {
    this.kills = kills;
    this.losses = losses;
  }

  int kills() {
    return kills;
  }

  /**
   * Kills a command, or all that runs on its machine.
   *
   * @return true if it was the machine
   */
  boolean kill(Machine machine, Machine.Command command, RandomGenerator random)
      throws IOException, InterruptedException {
    boolean takesMachine = random.nextInt(kills) < losses;
    kills--;
    if (!takesMachine) {
      command.kill();
      return false;
    }
    losses--;
    machine.losePower();
    command.waitFor();
    return true;
  }
}
