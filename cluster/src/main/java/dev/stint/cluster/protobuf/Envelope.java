package dev.stint.cluster.protobuf;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Consumer;

/** The envelope around each document: its kind and its message. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Envelope(String apiVersion, String kind, byte[] raw) {
  private static final byte[] MAGIC = {'k', '8', 's', 0};

  /** The fields {@code contentEncoding} and {@code contentType}, which Go writes, both empty. */
  private static final byte[] END = "\u001a\0\"\0".getBytes(ISO_8859_1);

  private static final int RAW = 2;
  private static final int SMALLEST = 1 << 10;

  /** Reads an envelope. Throws {@code BAD_REQUEST} if it is none. */
  static Envelope read(byte[] body) {
    if (!isOne(body)) {
      throw new ClusterException(
          Reason.BAD_REQUEST, "the body is not in Kubernetes' protobuf encoding: it has no prefix");
    }
    return ProtobufDocument.read(
        () -> read(CodedInputStream.newInstance(body, MAGIC.length, body.length - MAGIC.length)));
  }

  static boolean isOne(byte[] body) {
    return body.length >= MAGIC.length
        && Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  private static Envelope read(CodedInputStream in) throws IOException {
    String[] type = {"", ""};
    byte[] raw = new byte[0];
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case 1 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> typeMeta(in, type);
        case RAW << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> raw = in.readByteArray();
        default -> MessageReader.skip(in, tag);
      }
    }
    return new Envelope(type[0], type[1], raw);
  }

  private static void typeMeta(CodedInputStream in, String[] type) throws IOException {
    int outer = in.pushLimit(in.readRawVarint32());
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case 1 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> type[0] = in.readString();
        case 2 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> type[1] = in.readString();
        default -> MessageReader.skip(in, tag);
      }
    }
    in.popLimit(outer);
  }

  /** Returns a document as bytes. */
  static byte[] write(String apiVersion, String kind, Consumer<ReverseBuffer> message) {
    ReverseBuffer out = new ReverseBuffer(SMALLEST);
    out.write(END);
    int end = out.length();
    message.accept(out);
    begin(apiVersion, kind, out.length() - end, out);
    return out.toByteArray();
  }

  /** Returns what comes before a message. */
  static byte[] start(String apiVersion, String kind, long length) {
    ReverseBuffer out = new ReverseBuffer(SMALLEST);
    begin(apiVersion, kind, length, out);
    return out.toByteArray();
  }

  /** Returns what comes after a message. */
  static byte[] end() {
    return END.clone();
  }

  private static void begin(String apiVersion, String kind, long length, ReverseBuffer out) {
    out.varint(length);
    out.varint(RAW << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED);
    MessageWriter writer = new MessageWriter(out);
    int end = out.length();
    writer.text(2, kind);
    writer.text(1, apiVersion);
    writer.delimit(1, end);
    out.write(MAGIC);
  }
}
