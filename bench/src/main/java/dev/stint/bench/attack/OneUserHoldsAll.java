package dev.stint.bench.attack;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Watches, followed logs and sessions of one user, as many as the server lets one have. */
final class OneUserHoldsAll implements Attack {
  private static final int STREAMS = 6_000;
  private static final int SESSIONS = 100;

  @Override
  public String name() {
    return "holds";
  }

  @Override
  public String description() {
    return "6,000 watches, 6,000 followers and 100 sessions of one user, then another one watches";
  }

  @Override
  public String run(Scene scene) throws Exception {
    scene.startPod("host");
    Answers watches = open(scene, "configmaps?watch=1");
    Answers followers = open(scene, "pods/host/log?follow=true");
    Answers sessions =
        ExecSessions.openAll(
            scene, SESSIONS, "pods/host/exec?command=sleep&command=1000&stdout=true");
    return "watches %s; followers %s; sessions %s; another user's watch: %s"
        .formatted(watches, followers, sessions, another(scene));
  }

  private static Answers open(Scene scene, String path) throws Exception {
    Answers answers = new Answers();
    for (int client = 0; client < STREAMS / 500; client++) {
      ApiClient one = scene.hold(scene.target().client(RawConnection.ATTACKER, scene.token()));
      one.get("/version");
      CompletableFuture<?>[] all = new CompletableFuture<?>[500];
      for (int i = 0; i < all.length; i++) {
        all[i] =
            one.open(Scene.CORE + path)
                .handle((code, failure) -> failure == null ? Integer.toString(code) : "no answer")
                .thenAccept(answers::add);
      }
      CompletableFuture.allOf(all).completeOnTimeout(null, 30, TimeUnit.SECONDS).join();
    }
    return answers;
  }

  private static String another(Scene scene) throws Exception {
    ApiClient other =
        scene.hold(scene.target().client(RawConnection.BYSTANDER, scene.target().adminToken()));
    try {
      return Integer.toString(other.open("/api/v1/configmaps?watch=1").get(20, TimeUnit.SECONDS));
    } catch (TimeoutException | ExecutionException none) {
      return "none";
    }
  }
}
