package dev.stint.harness;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Pods in protobuf of an API that is younger than this program: each of their parts has the field
 * 200, which no version has.
 */
public final class PodsOfNewerApi {
  public static final String NAME = "young";

  private static final String FIELD_200 = "\u00c0\f\u0001";

  private PodsOfNewerApi() {}

  /** Returns a pod with the label a=b, which runs on the node n1. */
  public static byte[] message() {
    return document("Pod", pod());
  }

  /** Returns a list with that pod. */
  public static byte[] list() {
    return document("PodList", part(1, part(2, "5")) + part(2, pod()));
  }

  /** Returns a pod whose metadata is longer than the pod. */
  public static byte[] malformed() {
    return document("Pod", "\n\u007f");
  }

  private static byte[] document(String kind, String object) {
    String type = part(1, part(1, "v1") + part(2, kind));
    return ("k8s\0" + type + part(2, object)).getBytes(ISO_8859_1);
  }

  private static String pod() {
    String metadata =
        part(1, NAME)
            + part(3, "default")
            + part(5, "u1")
            + part(6, "5")
            + part(11, part(1, "a") + part(2, "b"));
    return part(1, metadata + FIELD_200)
        + part(2, part(10, "n1") + FIELD_200)
        + part(3, part(1, "Running") + FIELD_200)
        + FIELD_200;
  }

  /** Returns a field with a number below 16, whose value is shorter than 128 bytes. */
  private static String part(int number, String value) {
    return String.valueOf((char) (number << 3 | 2)) + (char) value.length() + value;
  }
}
