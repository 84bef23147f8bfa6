package dev.stint.runner.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalDevicesTest {
  @TempDir private Path root;

  @Test
  void aMachineWithoutDriversHasNoGpus() {
    assertThat(LocalDevices.find(root, Map.of())).isEqualTo(Devices.NONE);
  }

  @Test
  void nvidiasGpusHaveRanksUnlessTheDriverTellsTheirUuids() throws IOException {
    for (String name : List.of("nvidia10", "nvidia2", "nvidiactl", "nvidia-uvm", "null")) {
      write("dev/" + name, "");
    }
    assertThat(LocalDevices.find(root, Map.of()).of("nvidia.com/gpu")).containsExactly("0", "1");
    String one = "GPU-11111111-2222-3333-4444-555555555555";
    String two = "GPU-66666666-7777-8888-9999-000000000000";
    String gpus = "proc/driver/nvidia/gpus/";
    write(gpus + "0000:41:00.0/information", "Model: \t A\nGPU UUID: \t " + two + "\n");
    write(gpus + "0000:01:00.0/information", "Model: \t A\nGPU UUID: \t " + one + "\n");
    assertThat(LocalDevices.find(root, Map.of()).of("nvidia.com/gpu")).containsExactly(one, two);
  }

  @Test
  void processorsAmongTheNodesOfTheAmdDriverAreNoGpus() throws IOException {
    write("sys/class/kfd/kfd/topology/nodes/0/gpu_id", "0\n");
    write("sys/class/kfd/kfd/topology/nodes/1/gpu_id", "4711\n");
    write("sys/class/kfd/kfd/topology/nodes/2/gpu_id", "4712\n");
    assertThat(LocalDevices.find(root, Map.of())).isEqualTo(Devices.NONE);
    write("dev/kfd", "");
    assertThat(LocalDevices.find(root, Map.of()).of("amd.com/gpu")).containsExactly("0", "1");
  }

  @Test
  void gpusThatThisProgramWasNotGivenAreLeftAlone() throws IOException {
    for (int i = 0; i < 4; i++) {
      write("dev/nvidia" + i, "");
    }
    assertThat(nvidia("2,3")).containsExactly("2", "3");
    assertThat(nvidia(" 3, 2,2 ")).containsExactly("3", "2");
    assertThat(nvidia("GPU-8932f937,MIG-1")).containsExactly("GPU-8932f937", "MIG-1");
    assertThat(nvidia("")).isEmpty();
    assertThat(nvidia("NoDevFiles")).isEmpty();
    assertThat(nvidia("1,-1,2")).containsExactly("1");
    assertThat(nvidia("0,4,1")).containsExactly("0");
  }

  @Test
  void amdsGpusThatThisProgramWasNotGivenAreLeftAlone() throws IOException {
    write("dev/kfd", "");
    write("sys/class/kfd/kfd/topology/nodes/1/gpu_id", "4711\n");
    write("sys/class/kfd/kfd/topology/nodes/2/gpu_id", "4712\n");
    assertThat(LocalDevices.find(root, Map.of("ROCR_VISIBLE_DEVICES", "1")).of("amd.com/gpu"))
        .containsExactly("1");
  }

  @Test
  void aVariableAloneIsNoGpu() {
    for (String name : List.of("0", "GPU-8932f937")) {
      assertThat(nvidia(name)).isEmpty();
    }
  }

  private List<String> nvidia(String variable) {
    return LocalDevices.find(root, Map.of("CUDA_VISIBLE_DEVICES", variable)).of("nvidia.com/gpu");
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
