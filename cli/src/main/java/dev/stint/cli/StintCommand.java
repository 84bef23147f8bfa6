package dev.stint.cli;

import dev.stint.cli.assets.TestAssetsCommand;
import dev.stint.cli.assets.TestProgram;
import dev.stint.cli.cluster.ClusterSession;
import dev.stint.cli.config.ConfigCommand;
import dev.stint.cli.config.Configuration;
import dev.stint.cli.config.ConfiguredFlags;
import dev.stint.cli.doctor.DoctorCommand;
import dev.stint.cli.exec.ExecCommand;
import dev.stint.cli.flag.FlagConverters;
import dev.stint.cli.init.InitCommand;
import dev.stint.cli.job.AttemptsCommand;
import dev.stint.cli.job.CancelCommand;
import dev.stint.cli.job.GcCommand;
import dev.stint.cli.job.ItemsCommand;
import dev.stint.cli.job.LogsCommand;
import dev.stint.cli.job.LsCommand;
import dev.stint.cli.job.ResumeCommand;
import dev.stint.cli.job.RmCommand;
import dev.stint.cli.job.SetCommand;
import dev.stint.cli.job.ShowCommand;
import dev.stint.cli.job.SuspendCommand;
import dev.stint.cli.job.WaitCommand;
import dev.stint.cli.keys.ReencryptCommand;
import dev.stint.cli.keys.RotateCommand;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.Logging;
import dev.stint.cli.run.ClusterRun;
import dev.stint.cli.run.CronJobCommand;
import dev.stint.cli.run.RerunCommand;
import dev.stint.cli.run.RunCommand;
import dev.stint.cli.serve.ConsoleCommand;
import dev.stint.cli.serve.ControllerCommand;
import dev.stint.cli.serve.MirrorCommand;
import dev.stint.cli.serve.UpCommand;
import dev.stint.cli.shell.CompletionCommand;
import dev.stint.cli.shell.HelpCommand;
import dev.stint.cli.shell.ManCommand;
import dev.stint.cli.shell.VersionCommand;
import dev.stint.cli.simulate.SimulateCommand;
import dev.stint.cli.validate.ValidateCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;

/** The command line: lists the commands and handles every fault. */
@Command(
    name = "stint",
    description = "Run Kubernetes Jobs on this machine or for a cluster.",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = VersionCommand.Provider.class)
public final class StintCommand {
  /** Flags of every command that make it describe itself. */
  private static final Set<String> HELP = Set.of("-h", "--help", "--version");

  /** Commands that list the others. */
  private static final Set<String> ABOUT_ALL = Set.of("help", "completion", "man", "config");

  private final Console console;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Write detailed log messages to standard error.")
  boolean verbose;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help and exit.")
  @SuppressWarnings("UnusedVariable") // The parser acts on it.
  boolean help;

  @Option(names = "--version", versionHelp = true, description = "Show the version and exit.")
  @SuppressWarnings("UnusedVariable") // Likewise.
  boolean version;

  public StintCommand(Console console) {
    this.console = console;
  }

  /** Runs the command that {@code args} names, and returns the exit status. Throws nothing. */
  int run(String... args) {
    try {
      Optional<TestProgram> program =
          args.length == 0 ? Optional.empty() : TestProgram.named(args[0], console);
      return program.isPresent()
          ? program.get().run(Arrays.copyOfRange(args, 1, args.length))
          : commandLine(args).execute(args);
    } catch (RuntimeException | LinkageError | OutOfMemoryError fault) {
      return new ExitStatusMapper(console).reportFailure(fault);
    }
  }

  /** Returns all commands, for those that describe them. */
  public CommandLine all() {
    return commandLine();
  }

  private CommandLine commandLine(String... args) {
    CommandLine line = FlagConverters.commandLine(CommandSpecs.of(this));
    Map<String, Supplier<Object>> commands = commands(line);
    Supplier<Object> requested = args.length == 0 ? null : commands.get(args[0]);
    if (requested != null && !ABOUT_ALL.contains(args[0])) {
      line.addSubcommand(
          CommandSpecs.of(
              requested.get())); // Parsing all flags would take longer than the command.
    } else {
      commands.values().forEach(command -> line.addSubcommand(CommandSpecs.of(command.get())));
    }
    line.setOut(writer(console.out()));
    line.setErr(writer(console.err()));
    line.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
    line.setUsageHelpAutoWidth(false);
    FlagConverters.register(line);
    ConfiguredFlags configured = configured(line, commands.keySet(), args);
    ExitStatusMapper faults = new ExitStatusMapper(console, configured);
    line.setParameterExceptionHandler((fault, given) -> faults.reportUsageError(fault));
    line.setExecutionExceptionHandler((fault, command, given) -> faults.reportFailure(fault));
    line.setExecutionStrategy(this::execute);
    return line;
  }

  /** Gives the requested command the flags that files and variables set. */
  private ConfiguredFlags configured(CommandLine line, Set<String> names, String... args) {
    Optional<String> requested =
        Arrays.stream(args).filter(arg -> !arg.startsWith("-")).findFirst();
    if (requested.isEmpty() || !Configuration.isConfigurable(requested.get())) {
      return ConfiguredFlags.none();
    }
    CommandLine command = line.getSubcommands().get(requested.get());
    return command == null || asksForHelp(command.getCommandSpec(), args)
        ? ConfiguredFlags.none()
        : ConfiguredFlags.apply(
            Configuration.of(console.environment()), command, names, this::all, args);
  }

  /** True if the command only prints its help, which works whatever the configuration is. */
  private static boolean asksForHelp(CommandSpec command, String... args) {
    return Arrays.stream(args)
        .takeWhile(arg -> !arg.equals("--"))
        .anyMatch(arg -> HELP.contains(arg) || hasHelpInGroup(command, arg));
  }

  /** True if an argument is a group of short flags that contains the help flag, such as -vh. */
  private static boolean hasHelpInGroup(CommandSpec command, String arg) {
    return arg.startsWith("-")
        && arg.chars()
            .skip(1)
            .mapToObj(flag -> command.findOption((char) flag))
            .takeWhile(option -> option != null && option.arity().max() == 0)
            .anyMatch(OptionSpec::usageHelp);
  }

  /** Returns all commands, in the order of the help. */
  private Map<String, Supplier<Object>> commands(CommandLine line) {
    ClusterRun.Executor clusters = run -> ClusterSession.run(console, run);
    Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
    commands.put("run", () -> new RunCommand(console, clusters));
    commands.put("up", () -> new UpCommand(console));
    commands.put("ls", () -> new LsCommand(console));
    commands.put("show", () -> new ShowCommand(console));
    commands.put("wait", () -> new WaitCommand(console));
    commands.put("logs", () -> new LogsCommand(console));
    commands.put("attempts", () -> new AttemptsCommand(console));
    commands.put("exec", () -> new ExecCommand(console));
    commands.put("items", () -> new ItemsCommand(console));
    commands.put("rerun", () -> new RerunCommand(console, clusters));
    commands.put("cronjob", () -> new CronJobCommand(console, clusters));
    commands.put("set", () -> new SetCommand(console));
    commands.put("suspend", () -> new SuspendCommand(console));
    commands.put("resume", () -> new ResumeCommand(console));
    commands.put("cancel", () -> new CancelCommand(console));
    commands.put("rm", () -> new RmCommand(console));
    commands.put("gc", () -> new GcCommand(console));
    commands.put("console", () -> new ConsoleCommand(console));
    commands.put("rotate", () -> new RotateCommand(console));
    commands.put("reencrypt", () -> new ReencryptCommand(console));
    commands.put("controller", () -> new ControllerCommand(console));
    commands.put("mirror", () -> new MirrorCommand(console));
    commands.put("validate", () -> new ValidateCommand(console));
    commands.put("simulate", () -> new SimulateCommand(console));
    commands.put("bench", () -> new BenchCommand(console));
    commands.put("test-assets", () -> new TestAssetsCommand(console));
    commands.put("init", () -> new InitCommand(console));
    commands.put("doctor", () -> new DoctorCommand(console));
    commands.put("config", () -> new ConfigCommand(console, line));
    commands.put("completion", () -> new CompletionCommand(console, line));
    commands.put("man", () -> new ManCommand(console, line));
    commands.put("version", () -> new VersionCommand(console));
    commands.put("help", () -> new HelpCommand(console, line));
    return commands;
  }

  private int execute(ParseResult parsed) {
    if (verbose) {
      Logging.toStandardError();
    }
    return new RunLast().execute(parsed);
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, true, stream.charset());
  }
}
