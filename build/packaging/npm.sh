# shellcheck shell=bash disable=SC2154,SC2164
# The npm packages. Read by build/release.

# The npm packages: a small one with the command, and one with the archive for this platform.
pack_npm() {
  local stint=$work/npm/stint/package platform=$work/npm/platform/package
  mkdir -p "$stint/bin" "$platform"
  cp "$source/build/packaging/npm/stint.js" "$stint/bin/"
  cp "$source/LICENSE" "$source/README.md" "$stint/"
  cat >"$stint/package.json" <<END
{
  "name": "stint",
  "version": "$version",
  "description": "Kubernetes Jobs without the cluster",
  "license": "Apache-2.0",
  "homepage": "https://stint.dev",
  "bin": { "stint": "bin/stint.js" },
  "engines": { "node": ">=18" },
  "optionalDependencies": { "@stint/linux-x64": "$version" }
}
END
  cp -a "$home/." "$platform/"
  cat >"$platform/package.json" <<END
{
  "name": "@stint/linux-x64",
  "version": "$version",
  "description": "Stint for Linux with glibc on x64; install the package stint",
  "license": "Apache-2.0",
  "homepage": "https://stint.dev",
  "publishConfig": { "access": "public" },
  "os": ["linux"],
  "cpu": ["x64"],
  "libc": ["glibc"],
  "preferUnplugged": true
}
END
  touch_all "$work/npm"
  tar_of "$stint" >"$out/stint-$version-npm.tgz"
  tar_of "$platform" >"$out/$name-npm.tgz"
}
