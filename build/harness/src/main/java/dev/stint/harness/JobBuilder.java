package dev.stint.harness;

import dev.stint.model.Kind;
import tools.jackson.databind.node.ObjectNode;

/** Builds Jobs for tests. The pods have one container, {@code main}. */
public final class JobBuilder extends ObjectBuilder<JobBuilder> {
  private JobBuilder(String name) {
    super(Kind.JOB, name);
    podSpec().put("restartPolicy", "Never");
    command("true");
  }

  /** Begins a Job with its required fields. */
  public static JobBuilder named(String name) {
    return new JobBuilder(name);
  }

  /** Begins an Indexed Job. */
  public static JobBuilder indexed(String name) {
    return named(name).spec("'completionMode':'Indexed'");
  }

  @Override
  JobBuilder self() {
    return this;
  }

  public JobBuilder completions(int completions) {
    spec().put("completions", completions);
    return this;
  }

  public JobBuilder parallelism(int parallelism) {
    spec().put("parallelism", parallelism);
    return this;
  }

  public JobBuilder backoffLimit(int limit) {
    spec().put("backoffLimit", limit);
    return this;
  }

  public JobBuilder suspended() {
    spec().put("suspend", true);
    return this;
  }

  public JobBuilder managedBy(String controller) {
    spec().put("managedBy", controller);
    return this;
  }

  /** Sets the selector and the labels of the pods. */
  public JobBuilder selecting(String label, String value) {
    spec().putObject("selector").putObject("matchLabels").put(label, value);
    template().withObjectProperty("metadata").withObjectProperty("labels").put(label, value);
    return this;
  }

  /** Sets the command of the container. */
  public JobBuilder command(String... command) {
    podSpec().putArray("containers").add(newContainer("main", command));
    return this;
  }

  /** Sets members of the pods' spec. */
  public JobBuilder podSpec(String members) {
    podSpec().setAll(object(members));
    return this;
  }

  private ObjectNode template() {
    return spec().withObjectProperty("template");
  }

  private ObjectNode podSpec() {
    return template().withObjectProperty("spec");
  }
}
