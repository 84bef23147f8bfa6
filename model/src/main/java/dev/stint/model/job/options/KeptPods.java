package dev.stint.model.job.options;

/**
 * The finished pods that a Job keeps: the newest ones.
 *
 * @param onlyFailed whether pods that succeeded are not kept
 * @param most how many are kept
 */
public record KeptPods(boolean onlyFailed, int most) {
  /** The number of failed pods that are kept at most, so that they burden no cluster. */
  static final int MOST = 1000;

  /**
   * Reads {@code failed}, {@code none} or a number.
   *
   * @throws IllegalArgumentException with a complaint that follows the annotation's name
   */
  static KeptPods parse(String text) {
    return switch (text.strip()) {
      case "failed" -> new KeptPods(true, MOST);
      case "none" -> new KeptPods(false, 0);
      case String number when number.matches("[1-9]\\d{0,2}|1000") ->
          new KeptPods(false, Integer.parseInt(number));
      default ->
          throw new IllegalArgumentException("needs failed, none or a number from 1 up to " + MOST);
    };
  }
}
