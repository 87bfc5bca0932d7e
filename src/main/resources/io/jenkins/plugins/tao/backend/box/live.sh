# Tells the jobs below tao_base that have not ended: "live key attempt since holder state results", - for what is not known.
# Follows the functions of a box and those of leases. A process is started only for a job that has no end.
tao_told() {
  tao_state=PENDING
  [ ! -f "$2/started" ] || tao_state=RUNNING
  lease_look "$tao_base/leases/${1##*/}"
  tao_where=$(tao_job=$1 tao_attempt=$2 && . "$1/settings" 2>/dev/null && printf '%s' "$tao_results")
  echo "live ${1##*/} ${2##*-} ${tao_since:--} ${holder:--} $tao_state ${tao_where:--}"
}
# A directory that cannot be read, or whose disk is away, is no directory without jobs; one in use has a base.
if [ -d "$tao_base/jobs" ]; then
  [ -r "$tao_base/jobs" ] && [ -x "$tao_base/jobs" ] || echo "live $tao_base/jobs"
elif [ ! -d "$tao_base" ]; then
  echo "live $tao_base"
fi
for tao_job in "$tao_base"/jobs/*; do
  [ -d "$tao_job" ] || continue
  tao_n=1
  while [ -d "$tao_job/attempt-$((tao_n + 1))" ]; do tao_n=$((tao_n + 1)); done
  [ -d "$tao_job/attempt-$tao_n" ] && [ ! -e "$tao_job/attempt-$tao_n/exit" ] || continue
  ! tao_live "$tao_job/attempt-$tao_n" || tao_told "$tao_job" "$tao_job/attempt-$tao_n"
done
echo live-end
