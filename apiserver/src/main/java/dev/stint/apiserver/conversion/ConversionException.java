package dev.stint.apiserver.conversion;

/** A fault in the answer of a webhook that converts, in Kubernetes' words. */
final class ConversionException extends Exception {
  private static final long serialVersionUID = 1L;

  ConversionException(String message) {
    super(message);
  }
}
