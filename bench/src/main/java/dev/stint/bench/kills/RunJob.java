package dev.stint.bench.kills;

import dev.stint.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** A Job of {@code run}, and what must be true of it when it is complete. */
final class RunJob {
  private final Scene scene;
  private final String name;
  private final Path manifest;

  private RunJob(Scene scene, String name, Path manifest) {
    this.scene = scene;
    this.name = name;
    this.manifest = manifest;
  }

  /** Writes its document into a directory. */
  static RunJob of(Scene scene, Path directory, String name) throws IOException {
    Path manifest = directory.resolve(name + ".yaml");
    Files.writeString(manifest, scene.file().manifest(name));
    return new RunJob(scene, name, manifest);
  }

  /** Returns the text that {@code run} prints when it has started a Job, or taken it up. */
  static String ready(String name) {
    return "stint: " + name + ": ";
  }

  String name() {
    return name;
  }

  /** Returns the arguments of the command that runs it. */
  List<String> arguments() {
    return List.of("run", manifest.toString());
  }

  boolean isComplete() throws IOException, InterruptedException {
    return show().path("state").asString().equals("Complete");
  }

  /** Returns what is wrong with it, its indexes and its logs. */
  List<String> violations() throws IOException, InterruptedException {
    List<String> violations = new ArrayList<>();
    ObjectNode job = show();
    if (!job.path("state").asString().equals("Complete")
        || job.path("succeeded").asInt() != scene.file().completions()
        || job.path("failed").asInt() != 0) {
      violations.add(name + ": is not complete, or has failures: " + job);
    }
    violations.addAll(
        WorkLaws.ofComplete(
            name,
            scene.file().lines(),
            false,
            scene.file().attempts(name),
            scene.finished(name),
            JobLogs.read(scene.data(), name)));
    return violations;
  }

  /** Returns what {@code show} prints; it says what is wrong if that is no JSON. */
  private ObjectNode show() throws IOException, InterruptedException {
    Path shown = Files.write(scene.output().resolveSibling("shown"), new byte[0]);
    scene.start(List.of("show", name, "-o", "json"), shown).waitFor();
    String text = Files.readString(shown);
    try {
      return Json.parse(text);
    } catch (JacksonException unreadable) {
      return Json.object().put("unreadable", text);
    }
  }
}
