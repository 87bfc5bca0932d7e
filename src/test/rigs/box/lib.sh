# sourced by up, down, box and host
STATE=${BOX_STATE:-/var/lib/taoboxes}
case $STATE in /tmp/*) echo "boxes: BOX_STATE must not be under /tmp: each box has a /tmp of its own" >&2; exit 1 ;; esac
BOXES=${BOXES:-box1 box2 box3 box4}
ENGINES=box4 # the one with real podman and docker in place of the played one
say() { echo "boxes: $*"; }
die() { echo "boxes: $*" >&2; exit 1; }
port() { echo $((2230 + ${1#box})); }
# a pid file holds "pid starttime", so that a recycled pid is never taken for ours
stime() { [ -r "/proc/$1/stat" ] && sed 's/.*) //' "/proc/$1/stat" | cut -d' ' -f20; }
alive() { local p s; [ -e "$1" ] && read -r p s < "$1" && [ -n "$p" ] && [ "$(stime "$p")" = "$s" ]; }
start_box() { # in the background, in a session of its own, its pid in the pid file
  setsid "$RIG/host" "$1" >> "$STATE/log/$1.out" 2>&1 < /dev/null &
  local p=$!; echo "$p $(stime $p)" > "$STATE/pid/$1.pid"
}
stop_box() { # SIGKILL to the box's first process ends all that runs on it, as a power cut does
  local f=$STATE/pid/$1.pid p i
  alive "$f" || return 0
  read -r p _ < "$f"; kill -KILL "$p"
  for ((i = 0; i < 100; i++)); do alive "$f" || return 0; sleep 0.05; done
  die "$1 ($p) does not end"
}
wait_for_box() {
  local i
  for ((i = 0; i < 100; i++)); do
    ssh -F "$STATE/keys/ssh_config" -o ConnectTimeout=2 "$1" true 2> /dev/null && return 0
    sleep 0.1
  done
  die "$1 did not come up; see $STATE/log/$1.out"
}
