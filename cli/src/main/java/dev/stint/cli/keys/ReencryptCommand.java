package dev.stint.cli.keys;

import dev.stint.apiserver.encryption.EncryptedEngine;
import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.location.EncryptionOptions;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.data.DataDirectoryException;
import dev.stint.store.engine.RocksEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stint reencrypt}: encrypts all stored objects with the first provider. */
@Command(
    name = "reencrypt",
    description = {
      "Encrypt all objects of a data directory with the first provider of their resource.",
      "Then the other keys are not needed any more. The server must be stopped."
    },
    footer = {
      "",
      "Example:",
      "  stint reencrypt --data /srv/stint --encryption-provider-config encryption.yaml"
    })
public final class ReencryptCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data directory of stint run or stint up (default: $$XDG_DATA_HOME/stint).")
  @Nullable Path data;

  @Mixin EncryptionOptions encryption = new EncryptionOptions();

  public ReencryptCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    encryption.checkGiven();
    EncryptionConfiguration configuration = encryption.configuration();
    DataLocation location = DataLocation.of(data, console.environment());
    location.checkExists();
    try (DataDirectory directory = location.open();
        RocksEngine disk = RocksEngine.open(directory.store())) {
      EncryptedEngine engine = new EncryptedEngine(disk, configuration);
      int written = engine.reencrypt();
      disk.compact(); // The former values are to leave the disk.
      console.out().println(written + (written == 1 ? " object" : " objects") + " encrypted again");
      EncryptionOptions.report(engine, console);
      return (engine.unreadable().isEmpty() ? ExitCode.OK : ExitCode.USAGE).status();
    } catch (DataDirectoryException refused) {
      throw DataLocation.userException(refused);
    } catch (IOException fault) {
      throw new UserException("cannot open " + location.path() + ": " + fault.getMessage());
    }
  }
}
