package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of every kind of volume; a row without a fault is accepted. */
class VolumeSourceRulesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "gitRepo: {repository: r}",
        "gitRepo: {repository: r, directory: ../x} | gitRepo.directory Invalid",
        "gcePersistentDisk: {pdName: d, partition: 256} | persistentDisk.partition Invalid",
        "awsElasticBlockStore: {} | awsElasticBlockStore.volumeID Required",
        "nfs: {server: s, path: /p}",
        "nfs: {server: s, path: p} | nfs.path Invalid",
        "nfs: {server: s} | nfs.path Invalid, nfs.path Required",
        "iscsi: {targetPortal: p, iqn: 'iqn.2001-04.com.example:disk', lun: 0}",
        "iscsi: {targetPortal: p, iqn: nope, lun: 0} | iscsi.iqn Invalid",
        "iscsi: {targetPortal: p, iqn: 'iqn.2001-04.com.example:disk', lun: 300} | iscsi.lun Invalid",
        "iscsi: {targetPortal: p, iqn: 'iqn.2001-04.com.example:disk', lun: 0, chapAuthSession: true} | iscsi.secretRef Required",
        "iscsi: {targetPortal: p, iqn: 'iqn.2001-04.com.example:disk', lun: 0, initiatorName: x} | iscsi.initiatorname Invalid",
        "glusterfs: {} | glusterfs.endpoints Required, glusterfs.path Required",
        "flocker: {datasetName: a}",
        "flocker: {} | flocker Required",
        "flocker: {datasetName: a, datasetUUID: b} | flocker Invalid",
        "flocker: {datasetName: a/b} | flocker.datasetName Invalid",
        "persistentVolumeClaim: {} | persistentVolumeClaim.claimName Required",
        "rbd: {} | rbd.image Required, rbd.monitors Required",
        "cinder: {volumeID: a, secretRef: {}} | cinder.secretRef.name Required",
        "cephfs: {} | cephfs.monitors Required",
        "quobyte: {registry: 'r:1,s:2', volume: v}",
        "quobyte: {registry: r, volume: v} | quobyte.registry Invalid",
        "fc: {targetWWNs: [a], lun: 1}",
        "fc: {} | fc.targetWWNs Required",
        "fc: {targetWWNs: [a]} | fc.lun Required",
        "fc: {targetWWNs: [a], lun: 1, wwids: [b]} | fc.targetWWNs Invalid",
        "flexVolume: {driver: d, options: {k8s.io/x: a}} | flexVolume.options[k8s.io/x] Invalid",
        "azureFile: {} | azureFile.secretName Required, azureFile.shareName Required",
        "vsphereVolume: {} | vsphereVolume.volumePath Required",
        "photonPersistentDisk: {} | photonPersistentDisk.pdID Required",
        "portworxVolume: {} | portworxVolume.volumeID Required",
        "azureDisk: {diskName: d, diskURI: 'https://x'}",
        "azureDisk: {diskName: d, diskURI: x} | azureDisk.diskURI NotSupported",
        "azureDisk: {diskName: d, diskURI: 'https://x', kind: Managed} | azureDisk.diskURI NotSupported",
        "azureDisk: {diskName: d, diskURI: 'https://x', cachingMode: x} | azureDisk.cachingMode NotSupported",
        "storageos: {} | storageos.volumeName Required",
        "storageos: {volumeName: a, volumeNamespace: B} | storageos.volumeNamespace Invalid",
        "scaleIO: {gateway: g, system: s} | scaleIO.volumeName Required",
        "csi: {driver: Csi.Example.com}",
        "csi: {driver: a_b} | csi.driver Invalid",
        "csi: {driver: a, nodePublishSecretRef: {}} | csi.nodePublishSecretRef.name Required",
        "csi: {driver: a, nodePublishSecretRef: {name: B}} | csi.name Invalid",
        "csi: {} | csi.driver Required",
        "image: {reference: busybox}",
        "image: {reference: busybox, pullPolicy: Nope} | image.pullPolicy NotSupported",
        "emptyDir: {}\n    hostPath: {path: /x} | hostPath Forbidden",
        "emptyDir: {}\n    downwardAPI: {} | downwarAPI Forbidden",
        "emptyDir: {}\n    cephfs: {monitors: [m]} | cephFS Forbidden",
        "gcePersistentDisk: {} | persistentDisk.pdName Required",
        "emptyDir: {}\n    gcePersistentDisk: {} | gcePersistentDisk Forbidden",
        "flexVolume: {driver: d, options: {kubernetes.io: a}} | flexVolume.options[kubernetes.io] Invalid",
        "iscsi: {iqn: 'iqn.2001-04.com.example:x', targetPortal: p234567890123456789012345678901234567890123456789012345678901234567890, initiatorName: 'iqn.2001-04.com.example:x'} | name Invalid"
      })
  void everyKind(String row) {
    check(row, "spec.volumes[0].");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}",
        "ephemeral: {volumeClaimTemplate: {spec: {}}} | spec.accessModes Required, spec.resources[storage] Required",
        "ephemeral: {volumeClaimTemplate: {spec: {accessModes: [Nope], resources: {requests: {storage: 1Gi}}}}} | spec.accessModes NotSupported",
        "ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOncePod, ReadOnlyMany], resources: {requests: {storage: 0}}}}} | spec.accessModes Forbidden, spec.resources[storage] Invalid",
        "ephemeral: {volumeClaimTemplate: {metadata: {name: x, labels: {bad key: v}}, spec: {accessModes: [ReadWriteOnce], storageClassName: Bad, volumeMode: Nope, resources: {requests: {storage: 1}}}}} | metadata.labels Invalid, metadata.name Forbidden, spec.storageClassName Invalid, spec.volumeMode NotSupported",
        "ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], dataSource: {kind: VolumeSnapshot, name: s}, resources: {requests: {storage: 1}}}}} | spec.dataSource Invalid",
        "ephemeral: {volumeClaimTemplate: {metadata: {uid: x, generation: 0, selfLink: ''}, spec: {accessModes: [ReadWriteOnce], volumeAttributesClassName: Bad, dataSource: {apiGroup: Bad, kind: a, name: s}, resources: {requests: {storage: 1}}}}} | metadata.uID Forbidden, spec.dataSource.apiGroup Invalid, spec.volumeAttributesClassName Invalid",
        "ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], dataSource: {kind: PersistentVolumeClaim, name: s}, dataSourceRef: {kind: PersistentVolumeClaim, name: s}, resources: {requests: {storage: 1}}}}}",
        "ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], dataSource: {kind: PersistentVolumeClaim, name: s}, dataSourceRef: {kind: PersistentVolumeClaim, name: t}, resources: {requests: {storage: 1}}}}} | spec Invalid",
        "ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], dataSourceRef: {kind: PersistentVolumeClaim, name: t, namespace: B}, resources: {requests: {storage: 1}}}}} | spec.dataSourceRef.namespace Invalid"
      })
  void claimTemplates(String row) {
    check(row, "spec.volumes[0].ephemeral.volumeClaimTemplate.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "projected: {sources: [{secret: {name: a, items: [{key: k, path: p}]}}, {configMap: {name: b, items: [{key: k, path: p}]}}]} | Invalid",
        "projected: {sources: [{secret: {name: a}, configMap: {name: b}}]} | .sources[0] Forbidden",
        "projected: {sources: [{serviceAccountToken: {}}]} | .path Required",
        "projected: {sources: [{serviceAccountToken: {path: t, expirationSeconds: 4294967297}}]} | .sources[0].serviceAccountToken.expirationSeconds Invalid",
        "projected: {sources: [{downwardAPI: {items: [{path: p}]}}]} | .sources[0].downwardAPI Required",
        "projected: {sources: [{clusterTrustBundle: {path: p}}]} | .sources[0].clusterTrustBundle Required",
        "projected: {sources: [{clusterTrustBundle: {name: a, signerName: b/c}}]} | .sources[0].clusterTrustBundle Invalid, .sources[0].clusterTrustBundle.path Required",
        "projected: {sources: [{podCertificate: {signerName: a.io/b, keyType: ED25519, keyPath: k}}]}",
        "projected: {sources: [{podCertificate: {signerName: a.io/b, maxExpirationSeconds: 5}}]} | .sources[0].podCertificate Required, .sources[0].podCertificate.keyType NotSupported, .sources[0].podCertificate.maxExpirationSeconds Invalid"
      })
  void projections(String row) {
    check(row, "spec.volumes[0].projected");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "downwardAPI: {items: [{path: p, resourceFieldRef: {containerName: main, resource: limits.cpu, divisor: 1m}}]}",
        "downwardAPI: {items: [{path: p, resourceFieldRef: {containerName: main, resource: limits.cpu, divisor: 1Mi}}]} | .resourceFieldRef.divisor Invalid",
        "downwardAPI: {items: [{path: p, resourceFieldRef: {containerName: main, resource: limits.hugepages-2Mi, divisor: 1Mi}}]}",
        "downwardAPI: {items: [{path: p, fieldRef: {fieldPath: 'metadata.annotations[''A'']'}}]}",
        "downwardAPI: {items: [{path: p, fieldRef: {fieldPath: 'metadata.labels[''a b'']'}}]} | .fieldRef Invalid",
        "downwardAPI: {items: [{path: p, resourceFieldRef: {containerName: main, resource: nope, divisor: 1u}}]} | .resourceFieldRef.resource NotSupported",
        "downwardAPI: {items: [{path: p, fieldRef: {apiVersion: v2, fieldPath: metadata.name}}]} | .fieldRef.fieldPath Invalid",
        "downwardAPI: {items: [{path: p, fieldRef: {fieldPath: metadata.name}, resourceFieldRef: {}}]} | Invalid",
        "downwardAPI: {items: [{mode: 512}]} | Required, .mode Invalid, .path Required"
      })
  void downwardFiles(String row) {
    check(row, "spec.volumes[0].downwardAPI");
  }

  /** A row is a part of a pod, a bar, and the faults, whose paths are without the common prefix. */
  private static void check(String row, String start) {
    String[] parts = row.split(" \\| ", -1);
    List<String> faults = PodTemplates.spec("volumes:\n  - name: v\n    " + parts[0]);
    String expected = parts.length < 2 ? "" : parts[1];
    assertThat(
            String.join(
                ", ", faults.stream().map(f -> f.substring(start.length()).strip()).toList()))
        .isEqualTo(expected);
  }
}
