# What a node tells of the GPUs of a job, written to standard output while the job runs; POSIX sh, for dash, bash and busybox.
# usage: sh gpus.sh frame gpus seconds [key]
# frame: the process with which this one ends. gpus: their numbers or UUIDs, commas between; empty for all that are seen here.
# seconds: the pause between two samples at first. key: of the job, where the lines are marked, because they go to its log.
# Lines: "node NAME", "gpu NUMBER, NAME, DRIVER, MIB", "cuda VERSION", "use EPOCH NUMBER,PERCENT,MIB ..."; what is not told is "-".
# The pause grows from 30 seconds to five minutes, so that the file stays small whatever the job takes: 720 samples in the first 14
# hours, 10000 at most.
tao_frame=$1 tao_ids=$2 tao_pause=$3 tao_key=${4-}
command -v nvidia-smi >/dev/null 2>&1 && command -v timeout >/dev/null 2>&1 || exit 0
case $tao_ids in *MIG*) tao_ids='' tao_part=1 ;; *) tao_part='' ;; esac
LC_ALL=C
export LC_ALL

tao_put() { if [ -n "$tao_key" ]; then printf '\n@tao[%s] machine %s\n' "$tao_key" "$1"; else printf '%s\n' "$1"; fi; }

# A driver that hangs costs this process and nothing else.
tao_ask() { timeout -s KILL 20 nvidia-smi "$@" </dev/null 2>/dev/null; }

# When the frame was started, by the kernel's clock: its number may be another process's by now.
tao_born() {
  { read -r tao_stat <"/proc/$tao_frame/stat"; } 2>/dev/null || return 1
  set -f
  set -- ${tao_stat##*) }
  set +f
  [ "$1" != Z ] && echo "${20}"
}
tao_begun=$(tao_born) || exit 0

# Of lines "number, uuid, ...": those of the job.
tao_mine='
  function mine(   i, n, want) {
    if (ids == "") return 1
    n = split(ids, want, ",")
    for (i = 1; i <= n; i++) if (want[i] == $1 || (want[i] ~ /^GPU-/ && index($2, want[i]) == 1)) return 1
    return 0
  }
  function number(text) { return text ~ /^[0-9]+(\.[0-9]+)?$/ ? text : "-" }
  $1 ~ /^[0-9]+$/ && mine() { '

# The whole answer counts, or nothing: after a failure nvidia-smi prints its words to the same place.
tao_facts() {
  tao_said=$(tao_ask --query-gpu=index,uuid,name,driver_version,memory.total --format=csv,noheader,nounits) || return 1
  tao_put "node $(uname -n)"
  printf '%s\n' "$tao_said" | awk -F ' *, *' -v ids="$tao_ids" "$tao_mine"'print "gpu " $1 ", " $3 ", " $4 ", " number($5) }' |
    while IFS= read -r tao_line; do tao_put "$tao_line"; done
  tao_cuda=$(tao_ask | sed -n 's/.*CUDA[A-Za-z ]*Version *: *\([0-9][0-9.]*\).*/\1/p' | head -n 1)
  [ -z "$tao_cuda" ] || tao_put "cuda $tao_cuda"
}

tao_sample() {
  tao_said=$(tao_ask --query-gpu=index,uuid,utilization.gpu,memory.used --format=csv,noheader,nounits) || return 1
  tao_line=$(printf '%s\n' "$tao_said" | awk -F ' *, *' -v ids="$tao_ids" "$tao_mine"'printf " %s,%s,%s", $1, number($3), number($4) }')
  [ -z "$tao_line" ] || tao_put "use $(date +%s)$tao_line"
}

# Sleeps in steps; ends with the frame, and at once when it is asked to.
tao_rest() {
  tao_left=$1
  while [ "$tao_left" -gt 0 ]; do
    tao_step=$((tao_left < 30 ? tao_left : 30))
    sleep "$tao_step" &
    tao_sleeper=$!
    trap 'kill "$tao_sleeper" 2>/dev/null; exit 0' TERM
    wait "$tao_sleeper"
    trap - TERM
    [ "$(tao_born)" = "$tao_begun" ] || exit 0
    tao_left=$((tao_left - tao_step))
  done
}

tao_tries=0
until tao_facts; do
  tao_tries=$((tao_tries + 1))
  [ "$tao_tries" -lt 5 ] || exit 0
  tao_rest "$tao_pause"
done
[ -z "$tao_part" ] || exit 0 # what is told of a whole GPU is not of a part of it
tao_n=0 tao_missed=0
while [ "$tao_n" -lt 10000 ] && [ "$tao_missed" -lt 20 ]; do
  tao_rest "$tao_pause"
  if tao_sample; then tao_missed=0; else tao_missed=$((tao_missed + 1)); fi
  tao_n=$((tao_n + 1))
  case $tao_n in 240 | 480) tao_pause=$((tao_pause * 2)) ;; 720) tao_pause=$((tao_pause * 5 / 2)) ;; esac
done
