package dev.stint.bench.kills;

import java.io.IOException;
import java.nio.file.Path;

/** The commands that a round kills. */
enum RoundKind {
  /** One {@code run}. */
  RUN,
  /** One {@code up}, with a client. */
  UP,
  /** Several {@code run}s in one data directory. */
  SHARED;

  JobFile file(Path directory, String image) {
    return switch (this) {
      case RUN -> RunRound.file(directory, image);
      case UP -> UpRound.file(directory, image);
      case SHARED -> SharedRound.file(directory, image);
    };
  }

  /** Returns what a command prints when it is ready. */
  String ready() {
    return this == UP ? UpRound.READY : RunRound.READY;
  }

  /**
   * @param directory of the round
   */
  RoundResult play(Scene scene, Path directory, KillsOptions options)
      throws IOException, InterruptedException {
    return switch (this) {
      case RUN -> RunRound.play(scene, directory, options.mostKills());
      case UP -> UpRound.play(scene, options.mostKills());
      case SHARED -> SharedRound.play(scene, directory, options.runs());
    };
  }
}
