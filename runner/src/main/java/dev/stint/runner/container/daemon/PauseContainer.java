package dev.stint.runner.container.daemon;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The image of the pause container, which holds a pod's namespaces for all its containers: one
 * program that waits forever. It is made here, so that nothing has to be pulled. It is small enough
 * to be written down as numbers (decision 18).
 */
public final class PauseContainer {
  public static final String REPOSITORY = "localhost/stint/hold";
  public static final String TAG = "1";
  public static final String IMAGE = REPOSITORY + ":" + TAG;
  static final String PROGRAM = "/hold";

  /** mov eax, 34 (pause); syscall; jmp to the first. */
  private static final int[] AMD64 = {0x000022b8, 0xeb050f00, 0x909090f7};

  /** x0 to x3 = 0; x8 = 73 (ppoll); svc 0; b to the first. */
  private static final int[] ARM64 = {
    0xd2800000, 0xd2800001, 0xd2800002, 0xd2800003, 0xd2800928, 0xd4000001, 0x17fffffa
  };

  private static final int ELF_HEADER = 64;
  private static final int PROGRAM_HEADER = 56;
  private static final long BASE = 0x400000;
  private static final int BLOCK = 512;

  private PauseContainer() {}

  /**
   * Returns the image's files.
   *
   * @param architecture as the daemon calls it: {@code amd64}
   * @return a tar archive; empty for an architecture without a program
   */
  public static Optional<byte[]> archive(String architecture) {
    return switch (architecture) {
      case "amd64", "x86_64" -> Optional.of(tar(elf(62, AMD64)));
      case "arm64", "aarch64" -> Optional.of(tar(elf(183, ARM64)));
      default -> Optional.empty();
    };
  }

  /** Builds a program for Linux: an ELF header, one segment, the code. */
  private static byte[] elf(int machine, int[] code) {
    int start = ELF_HEADER + PROGRAM_HEADER;
    int size = start + code.length * Integer.BYTES;
    ByteBuffer elf = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    // 64 bits, little endian, version 1; executable.
    elf.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    elf.putShort((short) 2).putShort((short) machine).putInt(1);
    elf.putLong(BASE + start).putLong(ELF_HEADER).putLong(0).putInt(0);
    elf.putShort((short) ELF_HEADER).putShort((short) PROGRAM_HEADER).putShort((short) 1);
    elf.putShort((short) 0).putShort((short) 0).putShort((short) 0);
    // One segment, loaded as it is, readable and executable.
    elf.putInt(1).putInt(5).putLong(0).putLong(BASE).putLong(BASE);
    elf.putLong(size).putLong(size).putLong(0x10000);
    for (int word : code) {
      elf.putInt(word);
    }
    return elf.array();
  }

  /** Builds an archive of the program. */
  private static byte[] tar(byte[] program) {
    byte[] header = new byte[BLOCK];
    put(header, 0, PROGRAM.substring(1));
    put(header, 100, "0000755");
    put(header, 108, "0000000");
    put(header, 116, "0000000");
    put(header, 124, "%011o".formatted(program.length));
    put(header, 136, "00000000000");
    put(header, 148, "        ");
    put(header, 156, "0");
    put(header, 257, "ustar\00000");
    int sum = 0;
    for (byte each : header) {
      sum += each & 0xff;
    }
    put(header, 148, "%06o\0 ".formatted(sum));
    ByteArrayOutputStream tar = new ByteArrayOutputStream();
    tar.writeBytes(header);
    tar.writeBytes(program);
    tar.writeBytes(new byte[(BLOCK - program.length % BLOCK) % BLOCK + 2 * BLOCK]);
    return tar.toByteArray();
  }

  private static void put(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }
}
