package dev.stint.apiserver.access.pki;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One block of PEM text (RFC 7468).
 *
 * @param label such as {@code CERTIFICATE}
 * @param der the decoded content
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Pem(String label, byte[] der) {
  static final String CERTIFICATE = "CERTIFICATE";
  static final String PRIVATE_KEY = "PRIVATE KEY";
  static final String PUBLIC_KEY = "PUBLIC KEY";

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");

  /**
   * Returns the blocks of a text, in order. Throws {@code IllegalArgumentException} for bad base64.
   */
  static List<Pem> read(String text) {
    List<Pem> blocks = new ArrayList<>();
    for (Matcher found = BLOCK.matcher(text); found.find(); ) {
      String base64 = found.group(2).replaceAll("\\s", "");
      blocks.add(new Pem(found.group(1), Base64.getDecoder().decode(base64)));
    }
    return blocks;
  }

  /** Returns the content of the first block with a label. */
  static Optional<byte[]> find(List<Pem> blocks, String label) {
    return blocks.stream().filter(block -> block.label.equals(label)).map(Pem::der).findFirst();
  }

  String text() {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }
}
