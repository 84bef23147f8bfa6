package dev.stint.cli.validate;

import dev.stint.cli.plane.NodeOptions;
import dev.stint.cli.plane.PodOptions;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.cli.run.NameWarnings;
import dev.stint.cli.run.ResourceRefusals;
import dev.stint.cli.run.RunRefusals;
import dev.stint.model.document.Document;
import dev.stint.runner.process.user.InheritedNames;
import java.util.List;
import java.util.function.Function;

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

  /** Returns what finds, in all documents together, that a name is not known there. */
  Function<List<Document>, List<String>> warnings() {
    return switch (this) {
      case process -> new NameWarnings(RuntimeKind.process)::of;
      case container -> new NameWarnings(RuntimeKind.container)::of;
      case cluster -> _ -> List.of();
    };
  }

  private static Refusals run(RuntimeKind runtime) {
    PodOptions pods = new NodeOptions().pods(InheritedNames.ALL);
    Refusals supported = new RunRefusals(runtime, pods)::of;
    return supported.and(new ResourceRefusals(pods.machine())::of);
  }
}
