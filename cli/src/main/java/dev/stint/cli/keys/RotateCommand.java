package dev.stint.cli.keys;

import dev.stint.apiserver.access.pki.AdminToken;
import dev.stint.apiserver.access.pki.KeyRotation;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.embedded.data.DataLayout;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stint rotate}: replaces what clients of {@code up} sign in with. */
@Command(
    name = "rotate",
    description = {
      "Replace a token, key or certificate of stint up, so that the former one is refused.",
      "A new admin token holds at once, all else from the next start of stint up on."
    },
    footer = {"", "Example:", "  stint rotate admin-token --data /srv/stint"})
public final class RotateCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      paramLabel = "admin-token|certificates|ca|service-account-key",
      description =
          "What to replace: the token of the kubeconfig; the certificates of the server and of "
              + "the admin; the certificate authority with all of its certificates; or the key "
              + "that signs the tokens of service accounts.")
  String what = "";

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data directory of stint up (default: $$XDG_DATA_HOME/stint).")
  @Nullable Path data;

  public RotateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    DataLocation location = DataLocation.of(data, console.environment());
    location.checkExists();
    Path keys = location.layout().keys();
    try {
      console.say(rotate(location.layout()));
      return ExitCode.OK.status();
    } catch (NoSuchFileException missing) {
      throw new UserException(
          location.path() + " has no keys yet; stint up makes them at its first start");
    } catch (IOException fault) {
      throw new UserException("cannot replace keys in " + keys + ": " + fault.getMessage());
    }
  }

  /** Replaces it, and returns what that means. */
  private String rotate(DataLayout files) throws IOException {
    Path keys = files.keys();
    return switch (what) {
      case "admin-token" -> {
        AdminToken.rotate(keys, files.kubeconfig());
        yield "the former admin token is refused from now on; "
            + files.kubeconfig()
            + " has the new one, and copies of that file need it";
      }
      case "certificates" -> {
        KeyRotation.remove(keys, KeyRotation.Subject.CERTIFICATES);
        yield "the next start of stint up makes new certificates; the former ones stay valid "
            + "until they expire (stint rotate ca ends them)";
      }
      case "ca" -> {
        KeyRotation.remove(keys, KeyRotation.Subject.AUTHORITY);
        yield "the next start of stint up makes a new authority and new certificates; then the "
            + "former ones are refused, and copies of the kubeconfig need the new one";
      }
      case "service-account-key" -> {
        KeyRotation.remove(keys, KeyRotation.Subject.SERVICE_ACCOUNT_KEY);
        yield "the next start of stint up makes a new key; then all former tokens of service "
            + "accounts are refused";
      }
      default ->
          throw new UserException(
              "cannot rotate \"%s\"; it must be admin-token, certificates, ca or service-account-key"
                  .formatted(what));
    };
  }
}
