package dev.stint.runner.proc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The fields of {@code /proc/PID/status} (proc_pid_status(5)). */
public final class ProcStatus {
  /** The words of each field by its name. */
  private final Map<String, List<String>> fields = new HashMap<>();

  private ProcStatus(List<String> lines) {
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        String words = line.substring(colon + 1).strip();
        fields.put(
            line.substring(0, colon), words.isEmpty() ? List.of() : List.of(words.split("\\s+")));
      }
    }
  }

  /** Reads the status of this process. */
  public static ProcStatus own() throws IOException {
    return read("self");
  }

  /** Reads the status of a process. */
  public static ProcStatus of(long pid) throws IOException {
    return read(Long.toString(pid));
  }

  private static ProcStatus read(String process) throws IOException {
    // The name of a process may be any bytes.
    return parse(
        Files.readAllLines(Path.of("/proc", process, "status"), StandardCharsets.ISO_8859_1));
  }

  public static ProcStatus parse(List<String> lines) {
    return new ProcStatus(lines);
  }

  /** Returns the effective user. */
  public long user() {
    return Long.parseLong(word("Uid", 1, "0"));
  }

  /** Returns the real user. */
  public long realUser() {
    return Long.parseLong(word("Uid", 0, "0"));
  }

  /** Returns the effective group. */
  public long group() {
    return Long.parseLong(word("Gid", 1, "0"));
  }

  /** Returns the supplementary groups. */
  public Set<Long> groups() {
    return fields.getOrDefault("Groups", List.of()).stream()
        .map(Long::valueOf)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the effective capabilities, as bits. */
  public long capabilities() {
    return Long.parseUnsignedLong(word("CapEff", 0, "0"), 16);
  }

  /** Returns the octal umask; empty if the kernel does not show it. */
  public String umask() {
    return word("Umask", 0, "");
  }

  /** Returns the highest resident memory so far in bytes; 0 for a process that has ended. */
  public long highestResidentBytes() {
    return Long.parseLong(word("VmHWM", 0, "0")) << 10;
  }

  private String word(String field, int index, String absent) {
    List<String> words = fields.getOrDefault(field, List.of());
    return index < words.size() ? words.get(index) : absent;
  }
}
