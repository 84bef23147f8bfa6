package dev.stint.bench.attack;

import java.util.concurrent.atomic.AtomicBoolean;

/** Anonymous uploads to the console's sign-in that stop after the first byte. */
final class StalledUploads implements Attack {
  private static final int UPLOADS = 60;

  @Override
  public String name() {
    return "uploads";
  }

  @Override
  public String description() {
    return "60 stalled anonymous uploads to /console/api/session, while an administrator writes";
  }

  @Override
  public String run(Scene scene) throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    Answers answers = new Answers();
    Thread.ofVirtual()
        .start(() -> {
          for (int i = 0; i < UPLOADS && !ended.get(); i++) {
            answers.add(upload(scene));
          }
        })
        .join();
    Answers writes = new Answers();
    for (int i = 0; i < 200; i++) {
      writes.add(
          Scene.said(
              scene
                  .admin()
                  .send(
                      "POST",
                      Scene.CORE + "configmaps",
                      "{\"metadata\":{\"name\":\"w%d\"}}".formatted(i))));
      Thread.sleep(20);
    }
    ended.set(true);
    return "%s uploads begun; the administrator got %s".formatted(answers, writes);
  }

  private static String upload(Scene scene) {
    try {
      scene
          .hold(scene.target().connect("http/1.1", 5_000))
          .send(
              "POST /console/api/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  + "Content-Length: 3000000\r\n\r\n{");
      return "sent";
    } catch (java.io.IOException refused) {
      return "closed";
    }
  }
}
