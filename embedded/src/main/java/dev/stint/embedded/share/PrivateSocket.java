package dev.stint.embedded.share;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.stint.embedded.data.DataLayout;
import dev.stint.runner.proc.ProcStatus;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.stream.Stream;
import jdk.net.ExtendedSocketOptions;

/**
 * The Unix domain socket in a data directory. Only its user and root may connect: its mode is 0600,
 * and the kernel names the user of each peer.
 *
 * <p>The kernel limits addresses to 107 bytes, so this class names the directory by a descriptor
 * ({@code /proc/self/fd/7/socket}), however long its path is.
 */
final class PrivateSocket {
  private static final String NAME = DataLayout.SOCKET;
  private static final String UNFINISHED = "." + NAME + ".unfinished";
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final int BACKLOG = 128;

  private PrivateSocket() {}

  /**
   * Listens in a directory, in place of an earlier process. Clients never see the socket before its
   * mode is set.
   *
   * @param directory locked by this process
   */
  static ServerSocketChannel listen(Path directory) throws IOException {
    Path unfinished = directory.resolve(UNFINISHED);
    Files.deleteIfExists(unfinished);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try (FileChannel open = FileChannel.open(directory)) {
      server.bind(address(open, directory, UNFINISHED), BACKLOG);
      Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rw-------"));
      Files.move(unfinished, directory.resolve(NAME), ATOMIC_MOVE, REPLACE_EXISTING);
      return server;
    } catch (IOException | UnsupportedOperationException fault) {
      server.close();
      throw fault instanceof IOException io ? io : new IOException(fault);
    }
  }

  /**
   * Connects to the process that listens in a directory.
   *
   * @throws IOException if nobody listens there, or another user does, or a link leads elsewhere
   */
  static SocketChannel connect(Path directory) throws IOException {
    if (Files.isSymbolicLink(directory.resolve(NAME))) {
      throw new IOException(directory.resolve(NAME) + " is a link");
    }
    SocketChannel peer;
    try (FileChannel open = FileChannel.open(directory)) {
      peer = SocketChannel.open(address(open, directory, NAME));
    }
    try {
      if (!isOwn(peer)) {
        throw new IOException("another user listens in " + directory);
      }
      return peer;
    } catch (IOException | RuntimeException fault) {
      peer.close();
      throw fault;
    }
  }

  /** Removes the socket of a directory. */
  static void remove(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(NAME));
  }

  /** True if the peer is of this process's user, or root. */
  static boolean isOwn(SocketChannel peer) throws IOException {
    UserPrincipal user = peer.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
    return user.equals(user(Long.toString(ProcStatus.own().user()))) || user.equals(user("0"));
  }

  private static UserPrincipal user(String id) throws IOException {
    return FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(id);
  }

  /**
   * Returns the address of a name in an open directory.
   *
   * @param open the open directory; keep it open until the address was used
   */
  private static UnixDomainSocketAddress address(FileChannel open, Path directory, String name)
      throws IOException {
    Path real = directory.toRealPath();
    try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
      for (Path each : (Iterable<Path>) descriptors::iterator) {
        if (open.isOpen() && leadsTo(each, real)) {
          return UnixDomainSocketAddress.of(each.resolve(name));
        }
      }
    }
    return UnixDomainSocketAddress.of(real.resolve(name));
  }

  private static boolean leadsTo(Path descriptor, Path real) {
    try {
      return Files.readSymbolicLink(descriptor).equals(real);
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }
}
