package dev.stint.bench.attack;

import java.io.IOException;

/** Idle connections of one address, as many as the server accepts. */
final class ManyConnections implements Attack {
  private static final int CONNECTIONS = 6_000;

  @Override
  public String name() {
    return "connections";
  }

  @Override
  public String description() {
    return "6,000 idle connections of one address";
  }

  @Override
  public String run(Scene scene) throws Exception {
    Answers answers = new Answers();
    long end = System.nanoTime() + 60_000_000_000L;
    for (int i = 0; i < CONNECTIONS && System.nanoTime() < end; i++) {
      try {
        scene.hold(scene.target().connect("http/1.1", 2_000));
        answers.add("accepted");
      } catch (IOException refused) {
        answers.add("refused");
      }
    }
    return answers.toString();
  }
}
