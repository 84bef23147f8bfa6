package dev.stint.runner.container.daemon;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.item.Item;
import dev.stint.model.item.ItemText;
import dev.stint.runner.device.PodDevices;
import dev.stint.runner.env.ExpansionLimitException;
import dev.stint.runner.env.HostName;
import dev.stint.runner.env.Variables;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.spec.ResourceLimits;
import dev.stint.runner.spec.SecurityContext;
import dev.stint.runner.spec.StopSignal;
import dev.stint.runner.volume.PodMounts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The definition of a container to create ("Create a container" of the Docker Engine API).
 *
 * @param name unique among containers
 * @param body the request's body
 */
public record ContainerSpec(String name, ObjectNode body) {
  /**
   * The context of a container.
   *
   * @param pauseId the ID of the pause container whose network and IPC it shares
   * @param variables its declared variables, all references expanded
   * @param logs the limits of the log that the daemon keeps
   * @param podman true if the daemon is Podman
   */
  public record Context(
      String pauseId,
      LocalImage image,
      ImageRef imageRef,
      Variables variables,
      List<PodMounts.Mounted> mounts,
      LogLimits logs,
      boolean podman) {}

  /** Defines the pause container, whose namespaces the pod's other containers share. */
  public static ContainerSpec pauseContainer(ContainerRun run, ContainerLabels labels) {
    KubeObject pod = run.pod();
    ObjectNode body = Json.object().put("Image", PauseContainer.IMAGE);
    body.putArray("Entrypoint").add(PauseContainer.PROGRAM);
    labels(body, run, labels);
    ObjectNode host = body.putObject("HostConfig");
    if (isSet(pod, "hostNetwork")) {
      host.put("NetworkMode", "host");
    } else {
      body.put("Hostname", HostName.of(pod));
      HostName.domain(pod).ifPresent(domain -> body.put("Domainname", domain));
      aliases(pod, host);
    }
    host.put("IpcMode", isSet(pod, "hostIPC") ? "host" : "shareable");
    host.put("ReadonlyRootfs", true);
    host.putArray("CapDrop").add("ALL");
    host.putArray("SecurityOpt").add("no-new-privileges");
    return new ContainerSpec(labels.containerName(), body);
  }

  /** Defines one of the pod's own containers. */
  public static ContainerSpec container(ContainerRun run, ContainerLabels labels, Context context)
      throws ExpansionLimitException {
    ObjectNode body = Json.object().put("Image", context.imageRef().toString());
    Map<String, String> variables = variables(run.pod(), context.variables().values());
    if (run.inputs().line(run.container()) == null) {
      command(body, "Entrypoint", run, "command", context.variables());
      command(body, "Cmd", run, "args", context.variables());
    } else {
      itemCommand(body, run, context.variables(), variables);
    }
    ArrayNode env = body.putArray("Env");
    variables.forEach((name, value) -> env.add(name + "=" + value));
    String workingDir = Json.text(run.container(), "workingDir");
    if (workingDir != null && !workingDir.isEmpty()) {
      body.put("WorkingDir", workingDir);
    }
    StopSignal.of(run.container()).ifPresent(signal -> body.put("StopSignal", signal));
    // Docker takes it from the pause container, and refuses the option.
    if (context.podman() && !isSet(run.pod(), "hostNetwork")) {
      body.put("Hostname", HostName.of(run.pod()));
    }
    labels(body, run, labels);
    ObjectNode host = body.putObject("HostConfig");
    host.set("LogConfig", DaemonLog.config(context.logs(), context.podman()));
    namespaces(run.pod(), host, context.pauseId());
    security(run, body, host, context.image());
    limits(run.container(), host);
    DeviceAccess.add(host, PodDevices.ofContainer(run.pod(), run.container()), context.podman());
    mounts(host, context.mounts());
    return new ContainerSpec(labels.containerName(), body);
  }

  /**
   * Returns why a container must not run: its image would run it as root.
   *
   * @return null if it may run
   */
  public static @Nullable String nonRootFault(ContainerRun run, LocalImage image) {
    ObjectNode outer = Json.objectAt(run.pod().spec(), "securityContext");
    ObjectNode inner = Json.objectAt(run.container(), "securityContext");
    Boolean asked = Json.bool(inner, "runAsNonRoot");
    if (!Boolean.TRUE.equals(asked == null ? Json.bool(outer, "runAsNonRoot") : asked)) {
      return null;
    }
    Long user = SecurityContext.of(run.pod(), run.container()).user();
    if (user != null) {
      return user == 0 ? "container's runAsUser breaks non-root policy" : null;
    }
    String name = image.user().split(":", 2)[0];
    if (name.isEmpty() || name.matches("0+")) {
      return "container has runAsNonRoot and image will run as root; set runAsUser";
    }
    return name.matches("\\d+")
        ? null
        : "container has runAsNonRoot and image has non-numeric user ("
            + name
            + "), cannot verify user is non-root; set runAsUser";
  }

  private static boolean isSet(KubeObject pod, String member) {
    return Boolean.TRUE.equals(Json.bool(pod.spec(), member));
  }

  private static Map<String, String> variables(KubeObject pod, Map<String, String> declared) {
    Map<String, String> variables = new LinkedHashMap<>();
    if (!isSet(pod, "hostNetwork")) {
      variables.put("HOSTNAME", HostName.of(pod));
    }
    variables.putAll(declared);
    return variables;
  }

  private static void command(
      ObjectNode body, String member, ContainerRun run, String field, Variables variables)
      throws ExpansionLimitException {
    ArrayNode words = Json.arrayAt(run.container(), field);
    if (words != null && !words.isEmpty()) {
      ArrayNode expanded = body.putArray(member);
      for (JsonNode word : words) {
        expanded.add(variables.expand(word.stringValue("")));
      }
    }
  }

  /** Adds a command for a line of a list; a shell writes bytes that JSON cannot hold. */
  private static void itemCommand(
      ObjectNode body, ContainerRun run, Variables declared, Map<String, String> variables)
      throws ExpansionLimitException {
    List<String> words = new ArrayList<>();
    for (String member : List.of("command", "args")) {
      ArrayNode found = Json.arrayAt(run.container(), member);
      for (int i = 0; found != null && i < found.size(); i++) {
        words.add(declared.expand(found.get(i).stringValue("")));
      }
    }
    List<String> command = run.inputs().command(run.container(), words);
    String line = variables.getOrDefault(Item.VARIABLE, "");
    if (ItemText.isRaw(line)) {
      variables.remove(Item.VARIABLE);
      command = List.of("/bin/sh", "-c", NonUtf8Command.script(line, command));
    }
    ArrayNode entrypoint = body.putArray("Entrypoint");
    command.forEach(entrypoint::add);
  }

  private static void labels(ObjectNode body, ContainerRun run, ContainerLabels labels) {
    ObjectNode map = body.putObject("Labels");
    labels.toMap(run).forEach(map::put);
  }

  private static void aliases(KubeObject pod, ObjectNode host) {
    ArrayNode aliases = Json.arrayAt(pod.spec(), "hostAliases");
    if (aliases != null && !aliases.isEmpty()) {
      ArrayNode hosts = host.putArray("ExtraHosts");
      for (JsonNode alias : aliases) {
        ArrayNode names = Json.arrayAt(alias, "hostnames");
        if (names != null) {
          names.forEach(name -> hosts.add(name.stringValue("") + ":" + Json.text(alias, "ip")));
        }
      }
    }
  }

  private static void namespaces(KubeObject pod, ObjectNode host, String pauseId) {
    host.put("NetworkMode", isSet(pod, "hostNetwork") ? "host" : "container:" + pauseId);
    host.put("IpcMode", isSet(pod, "hostIPC") ? "host" : "container:" + pauseId);
    if (isSet(pod, "hostPID")) {
      host.put("PidMode", "host");
    }
  }

  private static void security(
      ContainerRun run, ObjectNode body, ObjectNode host, LocalImage image) {
    SecurityContext security = SecurityContext.of(run.pod(), run.container());
    String user = user(security, image);
    if (user != null) {
      body.put("User", user);
    }
    if (!security.groups().isEmpty()) {
      ArrayNode groups = host.putArray("GroupAdd");
      security.groups().forEach(group -> groups.add(String.valueOf(group)));
    }
    capabilities(host, "CapAdd", security.add());
    capabilities(host, "CapDrop", security.drop());
    host.put("ReadonlyRootfs", security.readOnlyRoot());
    List<String> options = new ArrayList<>();
    if (security.noNewPrivileges()) {
      options.add("no-new-privileges");
    }
    for (String profile : List.of("seccomp", "appArmor")) {
      if ("Unconfined".equals(profileType(run, profile + "Profile"))) {
        options.add(profile.toLowerCase(Locale.ROOT) + "=unconfined");
      }
    }
    if (!options.isEmpty()) {
      options.forEach(host.putArray("SecurityOpt")::add);
    }
  }

  private static @Nullable String user(SecurityContext security, LocalImage image) {
    Long group = security.group();
    String user =
        security.user() != null ? String.valueOf(security.user()) : image.user().split(":", 2)[0];
    if (group != null) {
      return (user.isEmpty() ? "0" : user) + ":" + group;
    }
    return security.user() == null ? null : user;
  }

  private static void capabilities(ObjectNode host, String member, List<String> names) {
    if (!names.isEmpty()) {
      ArrayNode list = host.putArray(member);
      names.forEach(name -> list.add(name.toUpperCase(Locale.ROOT)));
    }
  }

  private static @Nullable String profileType(ContainerRun run, String member) {
    ObjectNode inner = Json.objectAt(run.container(), "securityContext");
    ObjectNode outer = Json.objectAt(run.pod().spec(), "securityContext");
    ObjectNode own = Json.objectAt(inner, member);
    return Json.text(own == null ? Json.objectAt(outer, member) : own, "type");
  }

  private static void limits(ObjectNode container, ObjectNode host) {
    ResourceLimits limits = ResourceLimits.of(container);
    if (limits.memory() != null) {
      host.put("Memory", limits.memory()).put("MemorySwap", limits.memory());
    }
    // Docker refuses NanoCpus that are more than the machine's cores.
    if (limits.cpuQuotaMicros() != null) {
      host.put("CpuPeriod", ResourceLimits.CPU_PERIOD_MICROS);
      host.put("CpuQuota", limits.cpuQuotaMicros());
    }
  }

  private static void mounts(ObjectNode host, List<PodMounts.Mounted> mounts) {
    ArrayNode list = host.putArray("Mounts");
    for (PodMounts.Mounted mount : mounts) {
      list.addObject()
          .put("Type", "bind")
          .put("Source", mount.source().toString())
          .put("Target", mount.target().toString())
          .put("ReadOnly", mount.readOnly());
    }
  }
}
