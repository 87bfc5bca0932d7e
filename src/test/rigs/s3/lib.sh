# sourced by up, down and session
STATE=${S3_STATE:-/var/lib/s3lab}
PORT=${S3_PORT:-8480}
MON=${S3_MON_PORT:-16789}
URL=http://127.0.0.1:$PORT
STS_URL=http://127.0.0.1:$((PORT + 1))
DAEMONS="rgw.b rgw.a osd.0 mgr.x mon.a" # in the order in which they end
say() { echo "s3: $*"; }
die() { echo "s3: $*" >&2; exit 1; }
# a pid file of ours names a process that was started with our configuration; a recycled pid was not
alive() {
  local p f=$STATE/run/$1.pid
  [ -s "$f" ] && read -r p < "$f" && tr '\0' '\n' 2> /dev/null < "/proc/$p/environ" | grep -qx "CEPH_CONF=$STATE/ceph.conf"
}
