# sourced by host for the box with real engines: podman with crun, as root and rootless, and dockerd. Needs machine, STATE, name.
# Containers need a cgroup tree of one kind: of a hybrid one (version 1, and 2 below unified) version 1 alone is kept.
mount --make-rshared /
if mountpoint -q /sys/fs/cgroup/unified; then
  umount /sys/fs/cgroup/unified
  mkdir -p /sys/fs/cgroup/systemd
  mountpoint -q /sys/fs/cgroup/systemd || mount -t cgroup -o none,name=systemd cgroup /sys/fs/cgroup/systemd
fi
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/sshd /run/lock /run/cdi /run/proc
# a rootless container may mount its own /proc only where one without mounts on top of it can be seen
mount -t proc proc /run/proc
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mkdir -p /dev/mqueue
mountpoint -q /dev/mqueue || mount -t mqueue mqueue /dev/mqueue
mkdir -p /var/lib/containers /etc/cdi /etc/containers
mount --bind $machine/containers /var/lib/containers
mount --bind $machine/cdi /etc/cdi
mount --bind "$STATE/engines/etc" /etc/containers
mount --bind "$STATE/engines/bin" /usr/local/bin
