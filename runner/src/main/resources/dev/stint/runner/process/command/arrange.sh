# shellcheck shell=sh
# Sets up the control groups and mounts of a container, and then runs a script in them.
# Arguments: attempt directory, the programs mount and chroot, script, new root directory or
# nothing, arguments of the script. An error is written to file 3. The script has the container's
# variables as file 9, since its mounts may hide them.
__stint_newline='
'
__stint_fail() {
  printf '%s\n' "${1%%"$__stint_newline"*}" >&3
  exit 126
}
exec 9<"$1/env" || exit 126
if [ -e "$1/cgroups" ]; then
  while IFS= read -r __stint_file; do
    { echo 0 >"$__stint_file"; } 2>/dev/null || __stint_fail "cannot enter $__stint_file"
  done <"$1/cgroups"
fi
if [ -s "$1/fstab" ]; then
  __stint_said=$("$2" -n -a -T "$1/fstab" 2>&1) || __stint_fail "cannot mount: $__stint_said"
fi
if [ -e "$1/readonly" ]; then
  while read -r __stint_options __stint_path; do
    __stint_said=$("$2" -n -o "$__stint_options" "$__stint_path" 2>&1) ||
      __stint_fail "cannot make read-only: $__stint_said"
  done <"$1/readonly"
fi
__stint_chroot=$3 __stint_script=$4 __stint_root=$5
shift 5
exec ${__stint_root:+"$__stint_chroot" "$__stint_root"} /bin/sh -c "$__stint_script" stint-enter "$@"
