# shellcheck shell=bash disable=SC2154,SC2164
# The files for catalogues of packages: Homebrew, mise, jbang. Read by build/release.

# STINT_RELEASE_ADDRESS is where the files of the release will be.
pack_catalogues() {
  local address=${STINT_RELEASE_ADDRESS:-https://stint.dev/releases/v$version} sum file
  sum=$(sha256sum "$out/$name.tar.gz" | cut -d' ' -f1)
  mkdir "$out/catalogues"
  for file in stint.rb mise.toml jbang-catalog.json; do
    sed "s|@version@|$version|g; s|@address@|$address|g; s|@sha256@|$sum|g" "$source/build/packaging/catalogues/$file" \
      >"$out/catalogues/$file"
  done
}
