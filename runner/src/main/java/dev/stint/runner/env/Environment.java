package dev.stint.runner.env;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.item.Item;
import dev.stint.runner.device.DeviceVariables;
import dev.stint.runner.spec.InputRef;
import dev.stint.runner.spec.PodInputs;
import dev.stint.runner.spec.ResourceAmount;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Builds the environment of a container from the address of the API server if the pod has a token,
 * and from its {@code envFrom} and {@code env}, in this order, so that the latter wins. {@code
 * $(VAR)} references in values see what {@code env} declares before them, and the address of the
 * API server, and nothing else, as on a cluster.
 */
public final class Environment {
  private final KubeObject pod;
  private final JsonNode container;
  private final PodInputs inputs;
  private final ResourceAmount machine;
  private final EnvFiles files;
  private final boolean running;
  private final Map<String, String> devices;
  private final Expansion expansion = new Expansion();

  private Environment(
      KubeObject pod,
      JsonNode container,
      PodInputs inputs,
      ResourceAmount machine,
      VolumeFiles files,
      boolean running,
      Map<String, String> devices) {
    this.pod = pod;
    this.container = container;
    this.inputs = inputs;
    this.machine = machine;
    this.files = new EnvFiles(files, pod.uid(), container);
    this.running = running;
    this.devices = devices;
  }

  /**
   * Returns the variables that a container declares, in order, with all references expanded, and
   * those of its devices, which it cannot choose itself.
   *
   * @param machine the machine's resources, which stand in for limits that are not set
   * @param files the files in the pod's volumes
   * @throws EnvironmentException a config map, a secret or a file, or a key of one, is missing and
   *     not optional; or the variables are too long
   */
  public static Variables declared(
      KubeObject pod,
      JsonNode container,
      PodInputs inputs,
      ResourceAmount machine,
      VolumeFiles files)
      throws EnvironmentException {
    Map<String, String> devices = DeviceVariables.ofProcess(pod, container);
    return new Environment(pod, container, inputs, machine, files, false, devices).declared();
  }

  /** Does the same for a container that sees only its own devices. */
  public static Variables declaredOfImage(
      KubeObject pod,
      JsonNode container,
      PodInputs inputs,
      ResourceAmount machine,
      VolumeFiles files)
      throws EnvironmentException {
    Map<String, String> devices = DeviceVariables.of(pod, container);
    return new Environment(pod, container, inputs, machine, files, false, devices).declared();
  }

  /**
   * Returns the variables for a further command in a running container. Those from files that
   * cannot be read any more are left out: a container may delete what it started with.
   */
  public static Variables declaredWhileRunning(
      KubeObject pod,
      JsonNode container,
      PodInputs inputs,
      ResourceAmount machine,
      VolumeFiles files)
      throws EnvironmentException {
    Map<String, String> devices = DeviceVariables.ofProcess(pod, container);
    return new Environment(pod, container, inputs, machine, files, true, devices).declared();
  }

  private Variables declared() throws EnvironmentException {
    Map<String, String> declared = new LinkedHashMap<>(inputs.tokens().variables());
    declared.putAll(ofSources());
    ofVariables()
        .forEach((name, value) -> {
          declared.remove(name);
          declared.put(name, value);
        });
    String line = inputs.line(container);
    if (line != null) {
      declared.put(Item.VARIABLE, counted(line));
    }
    declared.putAll(devices);
    return new Variables(declared, expansion);
  }

  /**
   * Returns the variables of a process without an image, on top of those that it inherits from this
   * program.
   */
  public static Map<String, String> own(
      Map<String, String> declared, KubeObject pod, String workingDir) {
    Map<String, String> own = new LinkedHashMap<>();
    own.put("PWD", workingDir);
    own.put("HOSTNAME", HostName.of(pod));
    own.putAll(declared);
    own.put("STINT_POD_UID", pod.uid());
    return own;
  }

  private Map<String, String> ofSources() throws EnvironmentException {
    Map<String, String> values = new LinkedHashMap<>();
    ArrayNode sources = Json.arrayAt(container, "envFrom");
    if (sources != null) {
      for (JsonNode source : sources) {
        String prefix = orEmpty(Json.text(source, "prefix"));
        for (Kind kind : new Kind[] {Kind.CONFIG_MAP, Kind.SECRET}) {
          String member = kind.equals(Kind.SECRET) ? "secretRef" : "configMapRef";
          ObjectNode ref = Json.objectAt(source, member);
          if (ref != null) {
            addAll(kind, ref, prefix, values);
          }
        }
      }
    }
    return values;
  }

  private void addAll(Kind kind, ObjectNode ref, String prefix, Map<String, String> values)
      throws EnvironmentException {
    KubeObject found = find(kind, ref);
    ObjectNode data = found == null ? null : Json.objectAt(found.tree(), "data");
    if (data != null) {
      for (Map.Entry<String, JsonNode> entry : data.properties()) {
        if (entry.getValue().isString()) {
          String name = prefix + entry.getKey();
          expansion.count(name);
          values.put(name, counted(decoded(kind, entry.getValue().stringValue())));
        }
      }
    }
  }

  private Map<String, String> ofVariables() throws EnvironmentException {
    Map<String, String> values = new LinkedHashMap<>();
    Map<String, String> referable = new HashMap<>(inputs.tokens().variables());
    ArrayNode variables = Json.arrayAt(container, "env");
    if (variables != null) {
      for (JsonNode variable : variables) {
        String name = Json.text(variable, "name");
        Optional<String> value = value(variable, referable);
        if (name != null && value.isPresent()) {
          expansion.count(name);
          values.put(name, value.get());
          referable.put(name, value.get());
        }
      }
    }
    return values;
  }

  /** Returns the variable's value; empty if its optional source is missing. */
  private Optional<String> value(JsonNode variable, Map<String, String> referable)
      throws EnvironmentException {
    ObjectNode source = Json.objectAt(variable, "valueFrom");
    ObjectNode field = Json.objectAt(source, "fieldRef");
    if (field != null) {
      return Optional.of(counted(FieldRef.value(pod, field)));
    }
    ObjectNode resource = Json.objectAt(source, "resourceFieldRef");
    if (resource != null) {
      return Optional.of(counted(ResourceRef.value(pod, container, resource, machine)));
    }
    ObjectNode configMapKey = Json.objectAt(source, "configMapKeyRef");
    if (configMapKey != null) {
      return key(Kind.CONFIG_MAP, configMapKey);
    }
    ObjectNode secretKey = Json.objectAt(source, "secretKeyRef");
    if (secretKey != null) {
      return key(Kind.SECRET, secretKey);
    }
    ObjectNode fileKey = Json.objectAt(source, "fileKeyRef");
    if (fileKey != null) {
      return running ? readableFileKey(fileKey) : fileKey(fileKey);
    }
    return Optional.of(expansion.expand(orEmpty(Json.text(variable, "value")), referable));
  }

  private Optional<String> key(Kind kind, ObjectNode reference) throws EnvironmentException {
    KubeObject found = find(kind, reference);
    ObjectNode data = found == null ? null : Json.objectAt(found.tree(), "data");
    String text = Json.text(data, orEmpty(Json.text(reference, "key")));
    return text == null ? Optional.empty() : Optional.of(counted(decoded(kind, text)));
  }

  private Optional<String> readableFileKey(ObjectNode reference) throws EnvironmentException {
    try {
      return fileKey(reference);
    } catch (EnvFileException gone) {
      return Optional.empty();
    }
  }

  private Optional<String> fileKey(ObjectNode reference) throws EnvironmentException {
    Optional<String> value = files.value(reference);
    return value.isPresent() ? Optional.of(counted(value.get())) : value;
  }

  private @Nullable KubeObject find(Kind kind, ObjectNode reference) throws MissingInputException {
    InputRef ref = InputRef.of(kind, reference, pod.namespace());
    String missing = ref.missing(inputs);
    if (missing != null) {
      throw new MissingInputException(missing);
    }
    return inputs.find(kind, ref.object().name());
  }

  private static String decoded(Kind kind, String text) {
    return kind.equals(Kind.SECRET)
        ? new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8)
        : text;
  }

  private String counted(String value) throws ExpansionLimitException {
    expansion.count(value);
    return value;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
