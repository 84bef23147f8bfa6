package dev.stint.apiextensions.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The webhook that converts objects between the versions of a custom kind.
 *
 * @param url where it is; null if a service is named
 * @param service the service that it is behind; null if a URL is given
 * @param caBundle certificates that are trusted, as PEM in base64; "" for those of the machine
 * @param reviewVersions the versions of {@code ConversionReview} that it knows, the preferred one
 *     first
 */
public record ConversionWebhook(
    @Nullable String url, @Nullable Service service, String caBundle, List<String> reviewVersions) {
  /**
   * A service.
   *
   * @param path "" for none
   */
  public record Service(String namespace, String name, String path, int port) {}
}
