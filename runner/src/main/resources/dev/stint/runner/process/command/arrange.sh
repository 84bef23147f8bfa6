# shellcheck shell=sh
# Sets up the control groups and mounts of a container, and then runs a command in them.
# Arguments: attempt directory, the programs mount, stat and chroot, new root directory or nothing,
# command. An error is written to file 3. The command has the container's variables as file 9, since
# its mounts may hide them. The locale is C, since they may hold translations for the programs here.
__stint_newline='
'
__stint_fail() {
  printf '%s\n' "${1%%"$__stint_newline"*}" >&3
  exit 126
}
exec 9<"$1/env" || exit 126
# A pod can put a link in the way of a mount, so that it covers this directory or /proc. So nothing
# of them is opened once volumes are mounted.
__stint_planned='' __stint_readonly='' __stint_hidden='' __stint_init=''
if [ -e "$1/planned" ]; then
  exec 7<"$1/planned" 8</proc/self/mountinfo || exit 126
  __stint_planned=1
fi
if [ -e "$1/readonly" ]; then
  exec 6<"$1/readonly" 5</proc/self/mountinfo || exit 126
  __stint_readonly=1 __stint_left=''
fi
[ ! -e "$1/hidden" ] || IFS= read -r __stint_hidden <"$1/hidden" || exit 126
[ ! -e "$1/init" ] || __stint_init=1
if [ -e "$1/cgroups" ]; then
  while IFS= read -r __stint_file; do
    { echo 0 >"$__stint_file"; } 2>/dev/null || __stint_fail "cannot enter $__stint_file"
  done <"$1/cgroups"
fi
# Other containers can put something else at the path of a part of a volume. So each part is mounted
# in a place that they cannot change, compared with what the runner opened, and used from there.
if [ -e "$1/parts" ]; then
  __stint_said=$("$2" -n -a -T "$1/parts" 2>&1) || __stint_fail "cannot mount: $__stint_said"
  while IFS= read -r __stint_line; do
    [ "$("$3" -L -c %d:%i -- "${__stint_line#* }")" = "${__stint_line%% *}" ] ||
      __stint_fail "cannot mount: a part of a volume was replaced meanwhile"
  done <"$1/expected"
fi
if [ -s "$1/fstab" ]; then
  __stint_said=$("$2" -n -a -T "$1/fstab" 2>&1) || __stint_fail "cannot mount: $__stint_said"
fi
# No program runs before it is clear that each mount is where it was planned, and so none covers the
# programs.
if [ -n "$__stint_planned" ]; then
  __stint_there=' '
  while read -r __stint_line __stint_line __stint_line __stint_line __stint_place __stint_line; do
    __stint_there="$__stint_there$__stint_place "
  done <&8
  exec 8<&-
  while IFS= read -r __stint_place; do
    case $__stint_there in
      *" $__stint_place "*)
        __stint_there="${__stint_there%%" $__stint_place "*} ${__stint_there#*" $__stint_place "}"
        ;;
      *) __stint_fail "cannot mount at $__stint_place: a link leads elsewhere" ;;
    esac
  done <&7
  exec 7<&-
fi
if [ -n "$__stint_readonly" ]; then
  while read -r __stint_options __stint_path; do
    __stint_said=$("$2" -n -o "$__stint_options" "$__stint_path" 2>&1) && continue
    # A mount of the machine may be gone since the runner listed them. The kernel's list escapes some characters, so
    # that others than these cannot be found there.
    case $__stint_path in
      *[!A-Za-z0-9._/@:,+=-]*) __stint_fail "cannot make read-only: $__stint_said" ;;
    esac
    while read -r __stint_line __stint_line __stint_line __stint_line __stint_place __stint_line; do
      __stint_left="$__stint_left $__stint_place "
    done <&5
    case $__stint_left in
      *" $__stint_path "*) __stint_fail "cannot make read-only: $__stint_said" ;;
    esac
  done <&6
  exec 6<&- 5<&-
fi
__stint_mount=$2 __stint_chroot=$4 __stint_root=$5
shift 5
# Last, as the mounts before need what they hide.
if [ -n "$__stint_init" ]; then
  __stint_said=$("$__stint_mount" -n -t proc -o nosuid,nodev,noexec proc "$__stint_root/proc" 2>&1) ||
    __stint_fail "cannot mount /proc: $__stint_said"
fi
if [ -n "$__stint_hidden" ]; then
  __stint_said=$("$__stint_mount" -n -t tmpfs -o ro,size=4k,mode=0 stint \
    "$__stint_root$__stint_hidden" 2>&1) ||
    __stint_fail "cannot hide $__stint_hidden: $__stint_said"
fi
set -- ${__stint_root:+"$__stint_chroot" "$__stint_root"} "$@"
[ -n "$__stint_init" ] || exec "$@"
# The first process of a namespace ignores signals and adopts orphans. This shell is better at that
# than the command would be.
"$@"
exit $?
