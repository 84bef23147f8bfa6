package dev.stint.cli.validate;

import dev.stint.cli.plane.NodeOptions;
import dev.stint.cli.plane.RuntimeKind;
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
    return new RunRefusals(runtime, new NodeOptions().pods(InheritedNames.ALL))::of;
  }
}
