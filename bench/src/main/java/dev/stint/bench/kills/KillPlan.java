package dev.stint.bench.kills;

import java.io.IOException;
import java.util.List;
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
   * Kills some commands at once, or all that runs on their machine.
   *
   * @return true if it was the machine
   */
  boolean kill(Machine machine, List<Machine.Command> commands, RandomGenerator random)
      throws IOException, InterruptedException {
    boolean takesMachine = random.nextInt(kills) < losses;
    kills--;
    if (takesMachine) {
      losses--;
      machine.losePower();
    } else {
      for (Machine.Command command : commands) {
        command.signal();
      }
    }
    for (Machine.Command command : commands) {
      command.waitFor();
    }
    return takesMachine;
  }
}
