package dev.stint.apiserver.conversion;

import dev.stint.apiserver.webhook.WebhookClient;
import dev.stint.apiserver.webhook.WebhookClientConfig;
import dev.stint.apiserver.webhook.WebhookException;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Lets a webhook convert objects, several with each call. */
public final class WebhookConverter implements ObjectConverter {
  private static final int MOST_OBJECTS = 500;

  /** The length of the objects of a call, but for one that is longer. */
  private static final int MOST_BYTES = 512 << 10;

  /** The length that an answer may have beside twice that of the request. */
  private static final int MORE_ANSWERED = 2 << 20;

  private final WebhookClient client;
  private final WebhookClientConfig config;
  private final String reviewVersion;
  private final ConvertedObjects known;

  /**
   * @param reviewVersions the versions of {@code ConversionReview} that the webhook knows, the
   *     preferred one first
   * @param known what webhooks have converted
   */
  public WebhookConverter(
      WebhookClient client,
      WebhookClientConfig config,
      List<String> reviewVersions,
      ConvertedObjects known) {
    this.client = client;
    this.config = config;
    this.reviewVersion = ConversionReview.version(reviewVersions);
    this.known = known;
  }

  /** Objects that are converted by one call. */
  private static final class Batch {
    private final List<Integer> places = new ArrayList<>();
    private final List<ObjectNode> objects = new ArrayList<>();
    private final List<byte[]> texts = new ArrayList<>();
    private long length;

    boolean hasRoom(byte[] text) {
      return texts.isEmpty() || texts.size() < MOST_OBJECTS && length + text.length <= MOST_BYTES;
    }

    void add(int place, ObjectNode object, byte[] text) {
      places.add(place);
      objects.add(object);
      texts.add(text);
      length += text.length;
    }
  }

  @Override
  public boolean isRemote() {
    return true;
  }

  @Override
  public List<ObjectNode> convert(List<ObjectNode> objects, String apiVersion) {
    @Nullable ObjectNode[] converted = new ObjectNode[objects.size()];
    Batch batch = new Batch();
    for (int i = 0; i < converted.length; i++) {
      ObjectNode object = objects.get(i);
      converted[i] = known.find(this, object, apiVersion);
      if (converted[i] == null) {
        byte[] text = Json.bytes(object);
        if (!batch.hasRoom(text)) {
          convert(batch, apiVersion, converted);
          batch = new Batch();
        }
        batch.add(i, object, text);
      }
    }
    convert(batch, apiVersion, converted);
    return Arrays.stream(converted).map(Objects::requireNonNull).toList();
  }

  private void convert(Batch batch, String apiVersion, @Nullable ObjectNode[] converted) {
    if (batch.objects.isEmpty()) {
      return;
    }
    List<ObjectNode> answered = called(batch, apiVersion);
    for (int i = 0; i < answered.size(); i++) {
      converted[batch.places.get(i)] = answered.get(i);
      known.keep(this, batch.objects.get(i), answered.get(i), batch.texts.get(i).length);
    }
  }

  private List<ObjectNode> called(Batch batch, String apiVersion) {
    ConversionReview review =
        new ConversionReview(reviewVersion, UUID.randomUUID().toString(), apiVersion);
    byte[] request = review.request(batch.texts);
    try {
      byte[] answer = client.post(config, request, MORE_ANSWERED + 2 * request.length);
      return checked(batch.objects, review.converted(answer), apiVersion);
    } catch (WebhookException failed) {
      throw failure(batch, "failed: " + failed.getMessage(), failed);
    } catch (ConversionException faulty) {
      throw failure(batch, String.valueOf(faulty.getMessage()), faulty);
    }
  }

  private static List<ObjectNode> checked(
      List<ObjectNode> objects, List<JsonNode> answered, String apiVersion)
      throws ConversionException {
    if (answered.size() != objects.size()) {
      throw new ConversionException(
          "returned %d objects, expected %d".formatted(answered.size(), objects.size()));
    }
    List<ObjectNode> converted = new ArrayList<>(objects.size());
    for (int i = 0; i < answered.size(); i++) {
      String at = objects.size() == 1 ? "" : "converted object at index " + i;
      converted.add(ConvertedObject.checked(objects.get(i), answered.get(i), apiVersion, at));
    }
    return converted;
  }

  private static ClusterException failure(Batch batch, String what, Exception cause) {
    ObjectNode first = batch.objects.getFirst();
    return new ClusterException(
        Reason.INTERNAL,
        "conversion webhook for %s, Kind=%s %s"
            .formatted(first.path("apiVersion").asString(), first.path("kind").asString(), what),
        List.of(),
        cause);
  }
}
