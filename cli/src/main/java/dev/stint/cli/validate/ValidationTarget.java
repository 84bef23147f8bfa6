package dev.stint.cli.validate;

import dev.stint.cli.plane.NodeOptions;
import dev.stint.cli.plane.PodOptions;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.cli.run.ResourceRefusals;
import dev.stint.cli.run.RunRefusals;
import dev.stint.runner.process.user.InheritedNames;

/** The values of {@code --for}: where a document is to run. */
enum ValidationTarget {
  process,
  container,
  cluster;

  Refusals refusals() {
    Refusals always = ServerRefusals::of;
    return switch (this) {
      case process -> always.and(run(RuntimeKind.process));
      case container -> always.and(run(RuntimeKind.container));
      case cluster -> always.and(ClusterRefusals::of);
    };
  }

  private static Refusals run(RuntimeKind runtime) {
    PodOptions pods = new NodeOptions().pods(InheritedNames.ALL);
    Refusals supported = new RunRefusals(runtime, pods)::of;
    return supported.and(new ResourceRefusals(pods.machine())::of);
  }
}
