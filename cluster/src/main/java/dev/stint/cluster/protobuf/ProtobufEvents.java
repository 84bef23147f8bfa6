package dev.stint.cluster.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The events of a watch, each of which is a message after its length in four bytes (Kubernetes
 * documentation, API Concepts, Kubernetes Protobuf encoding).
 */
public final class ProtobufEvents {
  /** The media type of the answer. */
  public static final String MEDIA_TYPE = ProtobufDocument.MEDIA_TYPE + ";stream=watch";

  /** The longest event: an object may have 1.5 MiB, also on other servers. */
  private static final int LONGEST = 16 << 20;

  private byte[] open = new byte[0];

  /** One event. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Event(String type, byte[] object) {}

  /**
   * Returns what comes before the object of an event, which ends the event.
   *
   * @param length of the object, a document
   */
  public static byte[] start(String type, int length) {
    ReverseBuffer out = new ReverseBuffer(64);
    MessageWriter writer = new MessageWriter(out);
    writer.delimited(1, length);
    writer.delimited(2, out.length() + length);
    writer.text(1, type);
    out.fixed32BigEndian(out.length() + length);
    return out.toByteArray();
  }

  /** Takes more bytes, and passes on each event that is now complete. */
  public void split(byte[] bytes, Consumer<Event> each) {
    byte[] all = bytes;
    if (open.length > 0) {
      all = Arrays.copyOf(open, open.length + bytes.length);
      System.arraycopy(bytes, 0, all, open.length, bytes.length);
    }
    int from = 0;
    for (int length = length(all, from); length >= 0; length = length(all, from)) {
      int start = from + Integer.BYTES;
      if (all.length - start < length) {
        break;
      }
      from = start + length;
      CodedInputStream in = CodedInputStream.newInstance(all, start, length);
      each.accept(ProtobufDocument.read(() -> event(in)));
    }
    open = Arrays.copyOfRange(all, from, all.length);
  }

  /** Returns the length of the event at a position; -1 if the bytes end before it does. */
  private static int length(byte[] bytes, int at) {
    if (bytes.length - at < Integer.BYTES) {
      return -1;
    }
    int length =
        (bytes[at] & 0xff) << 24
            | (bytes[at + 1] & 0xff) << 16
            | (bytes[at + 2] & 0xff) << 8
            | bytes[at + 3] & 0xff;
    if (length < 0 || length > LONGEST) {
      throw new ClusterException(Reason.INTERNAL, "an event of " + length + " bytes is too long");
    }
    return length;
  }

  private static Event event(CodedInputStream in) throws IOException {
    String type = "";
    byte[] object = new byte[0];
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case 1 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> type = in.readString();
        case 2 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> object = MessageReader.rawBytes(in);
        default -> MessageReader.skip(in, tag);
      }
    }
    return new Event(type, object);
  }
}
