package dev.stint.runner.volume;

/**
 * A file of a volume.
 *
 * @param path relative to the volume's directory; it never climbs out of it
 * @param mode permission bits, such as 0644
 * @param content not to be changed
 */
// Contents are never compared, and a wrapper around them would only be unwrapped again.
@SuppressWarnings("ArrayRecordComponent")
record VolumeFile(String path, int mode, byte[] content) {}
