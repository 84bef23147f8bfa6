# shellcheck shell=bash disable=SC2154,SC2164
# The package for Debian and Ubuntu. Read by build/release.

# Prints the newest glibc that a program or library of the release asks for.
needed_glibc() {
  find "$home" -type f \( -name '*.so' -o -path '*/bin/java' -o -name jspawnhelper \) -exec cat {} + |
    grep -aoE 'GLIBC_2\.[0-9]+' | sort -uV | tail -n 1 | cut -d_ -f2
}

# Fills the directory $1 with the files as they are installed.
deb_files() {
  local lib=$1/usr/lib/stint doc=$1/usr/share/doc/stint
  mkdir -p "$lib" "$doc" "$1/usr/bin" "$1/usr/share/man/man1" "$1/usr/lib/systemd/system" "$1/usr/lib/systemd/user" \
    "$1/etc/stint" "$1/usr/share/lintian/overrides"
  cp -a "$home/bin" "$home/lib" "$home/runtime" "$home/release" "$home/stint-sbom.json" "$lib/"
  ln -s ../lib/stint/bin/stint "$1/usr/bin/stint"
  cp -a "$home/share/bash-completion" "$home/share/fish" "$1/usr/share/"
  mkdir "$1/usr/share/zsh"
  cp -a "$home/share/zsh/site-functions" "$1/usr/share/zsh/vendor-completions"
  gzip -9nc "$home/share/man/man1/stint.1" >"$1/usr/share/man/man1/stint.1.gz"
  sed 's:/usr/local/bin/:/usr/bin/:' "$home/share/systemd/system/stint.service" >"$1/usr/lib/systemd/system/stint.service"
  sed 's:/usr/local/bin/:/usr/bin/:' "$home/share/systemd/user/stint.service" >"$1/usr/lib/systemd/user/stint.service"
  cp "$source/build/packaging/deb/config.yaml" "$1/etc/stint/config.yaml"
  cp -r "$home/examples" "$doc/examples"
  gzip -9nc "$home/CHANGELOG.md" >"$doc/CHANGELOG.md.gz"
  gzip -9nc "$home/THIRD-PARTY.txt" >"$doc/THIRD-PARTY.txt.gz"
  cp "$source/build/packaging/deb/copyright" "$doc/copyright"
  cp "$source/build/packaging/deb/lintian-overrides" "$1/usr/share/lintian/overrides/stint"
  printf 'stint (%s) stable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- %s  %s\n' "$deb_version" "$maintainer" \
    "$(date -u -R -d "@$epoch")" | gzip -9nc >"$doc/changelog.gz"
}

# Fills the directory $2 with what dpkg reads about the files in the directory $1.
deb_control() {
  cp "$source"/build/packaging/deb/{postinst,prerm,postrm} "$2/"
  chmod 755 "$2"/*
  echo /etc/stint/config.yaml >"$2/conffiles"
  (cd "$1" && find . -type f ! -path './etc/*' -printf '%P\n' | sort | xargs md5sum) >"$2/md5sums"
  cat >"$2/control" <<END
Package: stint
Version: $deb_version
Architecture: amd64
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size "$1" | cut -f1)
Depends: libc6 (>= $(needed_glibc)), libstdc++6, adduser
Section: admin
Priority: optional
Homepage: $homepage
Description: Kubernetes Jobs without the cluster
 A batch/v1 Job becomes processes or containers of one machine, with the
 indexes, retries and success policies of Kubernetes, and no crash loses its
 progress. Stint also serves a Kubernetes API for kubectl and other clients,
 and controls Jobs on real clusters through spec.managedBy.
 .
 The package has its own Java runtime and needs no other.
END
}

# A package is an archive of three files, which ar writes without times and owners.
pack_deb() {
  local root=$work/deb/root control=$work/deb/control deb_version=${version/-/\~}
  local maintainer='The Stint authors <authors@stint.dev>' homepage=https://stint.dev
  mkdir -p "$root" "$control"
  deb_files "$root"
  deb_control "$root" "$control"
  touch_all "$work/deb"
  (
    cd "$work/deb"
    echo 2.0 >debian-binary
    tar_of "$control" . >control.tar.gz
    tar_of "$root" . >data.tar.gz
    ar qcD "$out/stint_${deb_version}_amd64.deb" debian-binary control.tar.gz data.tar.gz
  ) || die "the package for Debian cannot be made; install binutils"
}
