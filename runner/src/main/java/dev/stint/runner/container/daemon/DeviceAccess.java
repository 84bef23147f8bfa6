package dev.stint.runner.container.daemon;

import dev.stint.runner.device.Devices;
import dev.stint.runner.device.LocalDevices;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks a daemon to let a container use its GPUs. Other devices have no files: their containers
 * learn only which they have.
 */
final class DeviceAccess {
  private DeviceAccess() {}

  /**
   * Adds the GPUs of a container to its definition.
   *
   * @param host the definition's {@code HostConfig}
   * @param podman true for Podman, which finds NVIDIA's GPUs by the names of the Container Device
   *     Interface; false for Docker, which has a driver for them
   */
  static void add(ObjectNode host, Devices devices, boolean podman) {
    List<String> nvidia = devices.of(LocalDevices.NVIDIA);
    if (podman) {
      nvidia.forEach(id -> file(host, LocalDevices.NVIDIA + "=" + id));
    } else if (!nvidia.isEmpty()) {
      ObjectNode request = host.putArray("DeviceRequests").addObject().put("Driver", "nvidia");
      nvidia.forEach(request.putArray("DeviceIDs")::add);
      request.putArray("Capabilities").addArray().add("gpu");
    }
    if (!devices.of(LocalDevices.AMD).isEmpty()) {
      file(host, "/dev/kfd");
      file(host, "/dev/dri");
    }
  }

  private static void file(ObjectNode host, String path) {
    ArrayNode files = host.withArrayProperty("Devices");
    files
        .addObject()
        .put("PathOnHost", path)
        .put("PathInContainer", path)
        .put("CgroupPermissions", "rwm");
  }
}
