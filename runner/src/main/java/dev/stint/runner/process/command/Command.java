package dev.stint.runner.process.command;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.env.EnvFileException;
import dev.stint.runner.env.Environment;
import dev.stint.runner.env.EnvironmentException;
import dev.stint.runner.env.ExpansionLimitException;
import dev.stint.runner.env.Variables;
import dev.stint.runner.env.VolumeFiles;
import dev.stint.runner.process.user.InheritedEnvironment;
import dev.stint.runner.process.user.Surroundings;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.spec.PodInputs;
import dev.stint.runner.spec.ResourceAmount;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The command of a container, ready for the shim.
 *
 * @param workingDir as text if it is looked up in the container's own namespace
 * @param program the program, as the container names it
 * @param argv the command with its executable resolved, and its arguments
 * @param inherited the environment to start from
 * @param own the variables on top of it; a shell can set all of them
 * @param odd further variables, also inherited ones, whose names no shell can set
 * @param declared the variables that the container declares
 */
public record Command(
    String workingDir,
    String program,
    List<String> argv,
    InheritedEnvironment inherited,
    Map<String, String> own,
    Map<String, String> odd,
    Variables declared) {
  private static final String DEFAULT_PATH =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  /**
   * The context of the commands of a pod.
   *
   * @param surroundings the environment to start from, and the umask
   * @param defaultDir the working directory of containers that name none
   * @param files the files in volumes of pods
   */
  public record Context(
      Surroundings surroundings, Path defaultDir, ProgramPath programs, VolumeFiles files) {
    /** Returns the context of commands that start in the directory of their surroundings. */
    public static Context of(Surroundings surroundings, ProgramPath programs, VolumeFiles files) {
      return new Context(surroundings, surroundings.directory(), programs, files);
    }

    /** Returns a context with another working directory. */
    public Context in(Path dir) {
      return new Context(surroundings, dir, programs, files);
    }
  }

  /** A way to read the variables that a container declares. */
  private interface Declaration {
    Variables read(
        KubeObject pod,
        JsonNode container,
        PodInputs inputs,
        ResourceAmount machine,
        VolumeFiles files)
        throws EnvironmentException;
  }

  /** A command cannot be started; the message names it and says what to do. */
  public static class NotStartable extends Exception {
    private static final long serialVersionUID = 1L;

    public NotStartable(String message) {
      super(message);
    }
  }

  /** A command cannot be started before something that it needs exists. */
  public static final class NotYetStartable extends NotStartable {
    private static final long serialVersionUID = 1L;

    private final String reason;

    public NotYetStartable(String reason, String message) {
      super(message);
      this.reason = reason;
    }

    /** Returns the waiting reason of the container, as a kubelet words it. */
    public String reason() {
      return reason;
    }
  }

  /**
   * Reads the command of a container.
   *
   * @param context the context that all commands share
   * @param within true if the container sees other files than this program, so that nothing can be
   *     looked up before it is in its namespace
   */
  public static Command of(ContainerRun run, Context context, boolean within) throws NotStartable {
    Variables declared = declared(run, context, Environment::declared);
    List<String> argv = new ArrayList<>(texts(run, "command", declared));
    if (argv.isEmpty()) {
      throw new NotStartable(
          "container \""
              + run.name()
              + "\" has no command, and without an image there is no entrypoint to fall back on: set"
              + " command in the container");
    }
    argv.addAll(texts(run, "args", declared));
    argv = new ArrayList<>(run.inputs().command(run.container(), argv));
    return of(run, argv, declared, context, within);
  }

  /** Returns a further command to run in a container, as it is: nothing in it is expanded. */
  public static Command forExec(
      ContainerRun run, List<String> argv, Context context, boolean within) throws NotStartable {
    Variables declared = declared(run, context, Environment::declaredWhileRunning);
    return of(run, new ArrayList<>(argv), declared, context, within);
  }

  private static Command of(
      ContainerRun run, List<String> argv, Variables declared, Context context, boolean within)
      throws NotStartable {
    Path defaultDir = context.defaultDir();
    String given = Json.text(run.container(), "workingDir");
    Path workingDir =
        given == null || given.isEmpty() ? defaultDir : workingDir(given, defaultDir, within);
    Map<String, String> own = Environment.own(declared.values(), run.pod(), workingDir.toString());
    String program = argv.getFirst();
    InheritedEnvironment inherited = context.surroundings().inherited();
    if (!within) {
      Path file = context.programs().find(program, path(own, inherited), workingDir);
      argv.set(0, file.toString());
    } else if (program.isEmpty()) {
      throw new NotStartable("the command is empty");
    }
    return assemble(workingDir, program, argv, inherited, own, declared);
  }

  /** Returns this command with another variable. */
  public Command with(String name, String value) {
    Map<String, String> more = new HashMap<>(own);
    more.put(name, value);
    return new Command(workingDir, program, argv, inherited, Map.copyOf(more), odd, declared);
  }

  /**
   * Returns the start of a command line that sets the odd variables for the rest; empty if there
   * are none. Everybody sees it until that runs, so it must not stand before a program that stays.
   */
  public List<String> env() {
    List<String> words = new ArrayList<>();
    odd.forEach((name, value) -> words.add(name + "=" + value));
    if (!words.isEmpty()) {
      words.addFirst("/usr/bin/env");
    }
    return words;
  }

  private static Variables declared(ContainerRun run, Context context, Declaration declaration)
      throws NotStartable {
    try {
      return declaration.read(
          run.pod(),
          run.container(),
          run.inputs(),
          ResourceAmount.ofThisMachine(),
          context.files());
    } catch (EnvFileException fault) {
      throw new NotYetStartable(AttemptListener.CONFIG_ERROR, String.valueOf(fault.getMessage()));
    } catch (EnvironmentException fault) {
      throw new NotStartable(String.valueOf(fault.getMessage()));
    }
  }

  private static String path(Map<String, String> own, InheritedEnvironment inherited) {
    return own.getOrDefault("PATH", inherited.plain().getOrDefault("PATH", DEFAULT_PATH));
  }

  private static Command assemble(
      Path workingDir,
      String program,
      List<String> argv,
      InheritedEnvironment inherited,
      Map<String, String> own,
      Variables declared)
      throws NotStartable {
    Map<String, String> odd = new TreeMap<>(inherited.odd());
    odd.putAll(InheritedEnvironment.takeOdd(own));
    check(argv, own, odd);
    return new Command(
        workingDir.toString(),
        program,
        List.copyOf(argv),
        inherited,
        Map.copyOf(own),
        Map.copyOf(odd),
        declared);
  }

  private static void check(List<String> argv, Map<String, String> own, Map<String, String> odd)
      throws NotStartable {
    for (Collection<String> texts : List.of(argv, own.values(), odd.keySet(), odd.values())) {
      for (String text : texts) {
        if (text.indexOf('\0') >= 0) {
          throw new NotStartable("a command and its environment must not contain a NUL character");
        }
      }
    }
    for (String name : odd.keySet()) {
      if (!InheritedEnvironment.isName(name)) {
        throw new NotStartable("\"" + name + "\" cannot be the name of a variable");
      }
    }
  }

  private static List<String> texts(ContainerRun run, String member, Variables declared)
      throws NotStartable {
    List<String> texts = new ArrayList<>();
    ArrayNode found = Json.arrayAt(run.container(), member);
    if (found != null) {
      try {
        for (JsonNode text : found) {
          texts.add(declared.expand(text.stringValue("")));
        }
      } catch (ExpansionLimitException fault) {
        throw new NotStartable(String.valueOf(fault.getMessage()));
      }
    }
    return texts;
  }

  /** Returns the working directory that a container asks for, whether or not it exists. */
  public static Path workingDir(ObjectNode container, Path defaultDir) {
    String given = Json.text(container, "workingDir");
    return given == null || given.isEmpty() ? defaultDir : defaultDir.resolve(given).normalize();
  }

  private static Path workingDir(String given, Path defaultDir, boolean within)
      throws NotStartable {
    if (given.equals(defaultDir.toString())) {
      return defaultDir;
    }
    Path directory = ProgramPath.path(given, defaultDir).normalize();
    if (!within && (!Files.isDirectory(directory) || !Files.isExecutable(directory))) {
      throw new NotStartable("workingDir \"" + given + "\" is not a directory that can be entered");
    }
    return directory;
  }
}
