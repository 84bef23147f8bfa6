package dev.stint.bench.attack;

import java.util.Base64;
import java.util.SplittableRandom;

/** Objects that cannot be compressed, more of them than the heap holds. */
final class ManyObjects implements Attack {
  private static final int OBJECTS = 1_200;

  @Override
  public String name() {
    return "objects";
  }

  @Override
  public String description() {
    return "1,200 ConfigMaps of 1 MB of random text";
  }

  @Override
  public String run(Scene scene) throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    Answers answers = new Answers();
    for (int i = 0; i < OBJECTS && scene.target().isAlive(); i++) {
      String map =
          "{\"metadata\":{\"name\":\"o%d\"},\"data\":{\"k\":\"%s\"}}"
              .formatted(i, text(random, 750_000));
      answers.add(Scene.said(scene.attacker().send("POST", Scene.CORE + "configmaps", map)));
    }
    return answers.toString();
  }

  /** Returns random bytes as text, which is a third longer. */
  static String text(SplittableRandom random, int bytes) {
    byte[] noise = new byte[bytes];
    random.nextBytes(noise);
    return Base64.getEncoder().encodeToString(noise);
  }
}
