#!/bin/bash
# The life of the Debian package on a machine of its own: installed, used, upgraded beside a running Job, removed,
# purged. Run by build/try-deb inside a container with systemd; /debs holds the package and its successor.
set -eu
exec >>/debs/log 2>&1
export DEBIAN_FRONTEND=noninteractive

fail() {
  echo "try-deb: $*"
  systemctl status --no-pager stint || true
  journalctl --no-pager -n 30 -u stint || true
  exit 1
}

step() { echo "try-deb: $SECONDS s: $*"; }

as_stint() { setpriv --reuid stint --regid stint --clear-groups env HOME=/var/lib/stint "$@"; }

# Waits for at most a minute until the command holds.
eventually() {
  for _ in $(seq 120); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.5
  done
  fail "still not: $*"
}

served() { as_stint stint ls --kubeconfig /var/lib/stint/kubeconfig; }
has() { served | grep -q "$1"; }
main_pid() { systemctl show --property MainPID --value stint; }
files() { find / -xdev \( -path /proc -o -path /sys -o -path /run -o -path /tmp -o -path /var/log -o -path /var/lib/dpkg \
  -o -path /var/cache -o -path /debs -o -path /var/backups -o -path /var/lib/systemd \) -prune -o -print | sort; }

files >/tmp/before
dpkg -i /debs/first.deb
[[ $(stat -c '%U %a' /var/lib/stint) == 'stint 700' ]] || fail 'the state is not private to the user stint'
[[ $(systemctl is-active stint) == inactive ]] || fail 'the installation started the service'
mkdir /tmp/user
chown 65534:65534 /tmp/user
(cd /tmp && setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/tmp/user \
  stint run /usr/share/doc/stint/examples/hello.yaml) || fail 'a user runs no Job'
step 'installed; a user ran a Job'

printf 'up:\n  listen: 127.0.0.1:7443\n' >/etc/stint/config.yaml
systemctl enable --now stint
eventually served
grep -q 127.0.0.1:7443 /var/lib/stint/kubeconfig || fail 'the configuration is not read'
cat >/tmp/job.yaml <<'END'
apiVersion: batch/v1
kind: Job
metadata: {name: long, namespace: default}
spec:
  completionMode: Indexed
  completions: 2
  parallelism: 2
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers:
        - {name: main, image: none, command: [sh, -c, "until [ -e /tmp/go ]; do sleep 0.2; done"]}
END
/debs/kubectl --cache-dir /tmp/kube --kubeconfig /var/lib/stint/kubeconfig create -f /tmp/job.yaml ||
  fail 'kubectl creates no Job'
eventually pgrep -u stint -f tmp/go
pid=$(main_pid)
stint ls --data /var/lib/stint 2>&1 | grep -q 'sudo -u stint stint' || fail 'root may write in the state of the service'
step 'the service runs a Job'

dpkg -i --force-confold /debs/second.deb
eventually served
[[ $(main_pid) != "$pid" ]] || fail 'the upgrade did not restart the service'
grep -q 7443 /etc/stint/config.yaml || fail 'the upgrade changed the configuration'
has long || fail 'the upgrade lost the Job'
touch /tmp/go
as_stint timeout 60 stint wait long --kubeconfig /var/lib/stint/kubeconfig || fail 'the Job did not survive the upgrade'
step 'upgraded beside the Job, which completed'

dpkg -r stint
[[ $(systemctl is-active stint) == inactive ]] || fail 'the removed service runs'
pgrep -u stint >/dev/null && fail 'processes are left'
[[ -e /etc/stint/config.yaml && -e /var/lib/stint/kubeconfig ]] || fail 'the removal took state or configuration'
[[ ! -e /usr/bin/stint && ! -e /usr/lib/stint ]] || fail 'the removal left the program'
dpkg -i /debs/second.deb
systemctl enable --now stint
eventually has long
step 'removed, and installed again with its state'

printf 'up:\n  max-podz: 3\n' >/etc/stint/config.yaml
dpkg -i --force-confold /debs/first.deb >/tmp/upgrade 2>&1 || fail 'a service that does not start fails the upgrade'
grep -q 'systemctl restart stint' /tmp/upgrade || fail "an upgrade does not tell that the service fails: $(cat /tmp/upgrade)"
grep -c 'systemctl restart stint' /debs/log && fail 'an upgrade tells that a good service fails'
step 'a service that does not start is told'

dpkg -P stint
rm -rf /tmp/user
files >/tmp/after
diff /tmp/before /tmp/after || fail 'the purge left files'
getent passwd stint && fail 'the purge left the user'
getent group stint && fail 'the purge left the group'
step 'purged; nothing is left'
echo holds >/debs/outcome
