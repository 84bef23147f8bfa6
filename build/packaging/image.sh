# shellcheck shell=bash disable=SC2154,SC2164
# The container image, as an archive in the OCI layout. Read by build/release. It holds the archive's files, and of other
# programs only what the Java runtime links, the C and C++ libraries of this machine, and their locale C.UTF-8, without
# which it reads ASCII (see choose_charset in options.sh).

# Prints the paths of the libraries of this machine that the release needs.
needed_libraries() {
  find "$home" -type f \( -name '*.so' -o -path '*/bin/java' -o -name jspawnhelper \) -exec \
    env LD_LIBRARY_PATH="$home/runtime/lib:$home/runtime/lib/server" ldd {} + |
    grep -oE '(=> |^\s+)/(usr/)?lib[^ ]*' | grep -oE '/.*' | sort -u
}

# Prints the options of the JVM for each command, as the string of C that the entry point reads.
image_options() {
  local command options
  for command in run bench controller mirror up ''; do
    STINT_JAVA_OPTS='' JAVA_TOOL_OPTIONS='' JDK_JAVA_OPTIONS='' _JAVA_OPTIONS='' choose_options "$command" \
      </dev/null 2>/dev/null
    printf '"%s\\t-XX:SharedArchiveFile=/usr/lib/stint/lib/stint-%s.jsa %s\\n"\n' "$command" "$kind" "$options"
  done
}

compile_entry() {
  # shellcheck source=/dev/null
  (. "$source/cli/src/main/launcher/options.sh" && image_options | cat) >"$work/options.h"
  cc -std=gnu11 -O2 -static -s -Wl,--build-id=none -I"$work" -o "$1" "$source/build/packaging/image/stint.c" ||
    die "the entry point of the image cannot be compiled"
}

# Copies a file or a directory $2 of this machine to the image's root $1, and its licence, where a package of Debian brought
# it.
copy_of_machine() {
  local package
  mkdir -p "$1${2%/*}"
  cp -rL "$2" "$1$2"
  package=$(dpkg-query -S "$(readlink -f "$2")" 2>/dev/null | cut -d: -f1) || package=
  [[ ! -r /usr/share/doc/$package/copyright || -z $package ]] || {
    mkdir -p "$1/usr/share/doc/$package"
    cp -L "/usr/share/doc/$package/copyright" "$1/usr/share/doc/$package/"
    dpkg-query -W -f '${source:Package} ${source:Version}\n' "$package" >"$1/usr/share/doc/$package/source"
  }
}

# Fills the directory $1 with the root of the image.
image_files() {
  local part
  mkdir -p "$1/usr/lib/stint" "$1/usr/bin" "$1/etc" "$1/data" "$1/tmp" "$1/proc" "$1/sys" "$1/dev"
  cp -a "$home/lib" "$home/runtime" "$home/release" "$home/stint-sbom.json" "$home/LICENSE" "$home/THIRD-PARTY.txt" \
    "$1/usr/lib/stint/"
  rm "$1/usr/lib/stint/lib/options.sh"
  compile_entry "$1/usr/bin/stint"
  for part in $(needed_libraries) /usr/lib/locale/C.utf8; do
    copy_of_machine "$1" "$part"
  done
  printf 'root:x:0:0:root:/:/none\nstint:x:65532:65532:Stint:/data:/none\n' >"$1/etc/passwd"
  printf 'root:x:0:\nstint:x:65532:\n' >"$1/etc/group"
  chmod 1777 "$1/tmp"
  chmod 700 "$1/data"
}

# Moves the file $1 among the blobs of the image $2, and prints its digest and size as JSON.
blob() {
  local sum size
  sum=$(sha256sum "$1" | cut -d' ' -f1)
  size=$(stat -c %s "$1")
  mv "$1" "$2/blobs/sha256/$sum"
  printf '"digest": "sha256:%s", "size": %s' "$sum" "$size"
}

pack_image() {
  local root=$work/image/root layout=$work/image/layout layer config manifest diff
  mkdir -p "$root" "$layout/blobs/sha256"
  image_files "$root"
  touch_all "$root"
  # /data belongs to the user of the image, all else to root.
  (
    cd "$root"
    tar --create --sort=name --owner=0 --group=0 --numeric-owner --format=gnu --exclude=./data -f "$work/layer" .
    tar --append --owner=65532 --group=65532 --numeric-owner --format=gnu -f "$work/layer" ./data
  )
  diff=$(sha256sum "$work/layer" | cut -d' ' -f1)
  gzip_tar <"$work/layer" >"$work/layer.gz"
  rm -rf "$work/layer" "$root"
  layer=$(blob "$work/layer.gz" "$layout")
  cat >"$work/config" <<END
{"created": "$iso", "architecture": "amd64", "os": "linux",
 "config": {"User": "65532:65532", "Entrypoint": ["/usr/bin/stint"], "WorkingDir": "/data", "Volumes": {"/data": {}},
  "Env": ["PATH=/usr/bin", "HOME=/data", "XDG_DATA_HOME=/data"], "StopSignal": "SIGTERM",
  "Labels": {"org.opencontainers.image.title": "stint", "org.opencontainers.image.version": "$version",
   "org.opencontainers.image.revision": "$commit", "org.opencontainers.image.created": "$iso",
   "org.opencontainers.image.licenses": "Apache-2.0",
   "org.opencontainers.image.description": "Kubernetes Jobs without the cluster"}},
 "rootfs": {"type": "layers", "diff_ids": ["sha256:$diff"]},
 "history": [{"created": "$iso", "created_by": "build/release"}]}
END
  config=$(blob "$work/config" "$layout")
  cat >"$work/manifest" <<END
{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
 "config": {"mediaType": "application/vnd.oci.image.config.v1+json", $config},
 "layers": [{"mediaType": "application/vnd.oci.image.layer.v1.tar+gzip", $layer}]}
END
  manifest=$(blob "$work/manifest" "$layout")
  cat >"$layout/index.json" <<END
{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
 "manifests": [{"mediaType": "application/vnd.oci.image.manifest.v1+json", $manifest,
  "platform": {"architecture": "amd64", "os": "linux"},
  "annotations": {"io.containerd.image.name": "docker.io/library/stint:$version",
   "org.opencontainers.image.ref.name": "docker.io/library/stint:$version"}}]}
END
  echo '{"imageLayoutVersion": "1.0.0"}' >"$layout/oci-layout"
  touch_all "$layout"
  tar --create --sort=name --owner=0 --group=0 --numeric-owner --format=gnu -C "$layout" -f "$out/$name.oci.tar" .
}
