# In namespaces of its own: a Debian's files, with all changes kept in memory, and its systemd on them.
# boot.sh FOLDER SOURCE FILES: FOLDER is empty, SOURCE will be /mnt, FILES has the Debian.
set -euo pipefail
mount --make-rprivate /
mount -t tmpfs -o size=4g tmpfs "$1"
cd "$1"
mkdir upper work root
mount -t overlay overlay -o "lowerdir=$3,upperdir=$1/upper,workdir=$1/work" root
cd root
mount --bind "$2" mnt
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
mkdir dev/pts dev/shm
for device in null zero full random urandom tty fuse; do
    touch dev/$device
    mount --bind /dev/$device dev/$device
done
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ip link set lo up
rm -f usr/sbin/policy-rc.d # a server starts what it installs
for unit in apt-daily.timer apt-daily-upgrade.timer console-getty.service; do
    ln -sf /dev/null etc/systemd/system/$unit
done
mkdir old
pivot_root . old # not chroot: a process in one may have no user namespace, which services ask for
umount --lazy /old
rmdir /old
exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    /lib/systemd/systemd --system --log-target=null --show-status=0 --unit=multi-user.target
