package dev.stint.runner.volume;

/** A volume that can't be had; the message names it and says why. */
public final class VolumeFault extends Exception {
  private static final long serialVersionUID = 1L;

  public VolumeFault(String message) {
    super(message);
  }
}
