# ---- one rank of the step: notes its start and end, hands signals on to all processes of the command ----
# Runs under bash on a node, in the job's container where there is one. Arguments: the command; the path of this run's rank notes
# without the rank; how many ranks there are; where several nodes tell of their GPUs, gpus.sh and the name of the first node. Notes: a line "start=SECONDS node=NAME", then "end=SECONDS code=N by=command", where by
# is the signal that came first when one came. Exit code: the command's own.
tao_notes=$2.${SLURM_PROCID:-0}
tao_several=${3:-1}
tao_pid=
tao_heard=
tao_keepers=
tao_sampler=

tao_clock() { if [ -n "${EPOCHREALTIME:-}" ]; then echo "${EPOCHREALTIME/,/.}"; else date +%s; fi; }

tao_write() { { printf '%s\n' "$1" >> "$tao_notes"; } 2> /dev/null; }

tao_rank_end() {
  tao_code=$?
  trap - EXIT
  trap '' TERM INT HUP QUIT USR1 USR2
  exec 1>&- 2>&-
  [ -z "$tao_sampler" ] || kill "$tao_sampler" 2> /dev/null
  for tao_keeper in $tao_keepers; do tao_await 50 "$tao_keeper"; done
  tao_write "end=$(tao_clock) code=$tao_code by=${tao_heard:-command}"
  exit "$tao_code"
}

# Waits until process $2 is gone, at most $1 tenths of a second.
tao_await() {
  tao_tenths=$1
  while [ "$tao_tenths" -gt 0 ] && kill -0 "$2" 2> /dev/null; do
    sleep 0.1
    tao_tenths=$((tao_tenths - 1))
  done
}

# Slurm signals the first process of a task alone, and TAO's launcher hands nothing on: the whole process group is signalled here.
# USR1 and USR2 are warnings, after which a command may end as it likes.
tao_pass_on() {
  case $1 in USR*) ;; *) tao_heard=${tao_heard:-$1} ;; esac
  [ -z "$tao_pid" ] || kill -s "$1" -- "-$tao_pid" 2> /dev/null
}

# Passes on what it reads, each line with its rank, and keeps the last lines as they are in file $1.
tao_keep() {
  trap '' TERM INT HUP QUIT USR1 USR2
  if command -v sed > /dev/null; then
    tee >(exec tail -n 40 > "$1" 2> /dev/null) | tao_mark
  else
    tee >(exec tail -n 40 > "$1" 2> /dev/null)
  fi
  wait "$!" 2> /dev/null || sleep 1
}

# srun --label cuts lines at a kilobyte. A line in which torchrun or PyTorch names the rank of its process keeps that mark alone. sed -u
# reads byte by byte, so stdbuf comes first.
tao_mark() {
  set -- -e '/^\[rank[0-9][0-9]*\]:/b' -e "s/^/[${SLURM_PROCID:-0}] /"
  if command -v stdbuf > /dev/null; then LC_ALL=C exec stdbuf -oL sed "$@"; else LC_ALL=C exec sed -u "$@"; fi
}

# Of several ranks only one can be the first to fail: what it said must be told apart from what the others said.
tao_keep_last_lines() {
  [ "$tao_several" -gt 1 ] && [ -e "$tao_notes" ] && command -v tee > /dev/null && command -v tail > /dev/null || return 0
  exec 3>&1 4>&2
  exec 1> >(tao_keep "$tao_notes.out" >&3 3>&- 4>&-)
  tao_keepers=$!
  exec 2> >(tao_keep "$tao_notes.err" >&4 3>&- 4>&-)
  tao_keepers="$! $tao_keepers"
  exec 3>&- 4>&-
}

# Whether a process of the group is alive; one that has ended and waits to be reaped is not.
tao_group_lives() {
  kill -0 -- "-$tao_pid" 2> /dev/null || return 1
  for tao_stat in /proc/[0-9]*/stat; do
    { read -r tao_line < "$tao_stat"; } 2> /dev/null || continue
    set -- ${tao_line##*) }
    if [ "$3" = "$tao_pid" ] && [ "$1" != Z ]; then return 0; fi
  done
  return 1
}

# The launcher may be gone at once and the training still be writing its checkpoint: after a signal all of the group is waited for.
tao_run_rank() {
  tao_keep_last_lines
  set -m
  /bin/bash -c "$1" &
  tao_pid=$!
  set +m
  [ -z "$tao_heard" ] || kill -s "$tao_heard" -- "-$tao_pid" 2> /dev/null
  wait "$tao_pid" 2> /dev/null
  tao_rc=$?
  while kill -0 "$tao_pid" 2> /dev/null; do
    wait "$tao_pid" 2> /dev/null
    tao_rc=$?
  done
  [ -n "$tao_heard" ] || return "$tao_rc"
  wait "$tao_pid" 2> /dev/null
  tao_late=$?
  [ "$tao_late" = 127 ] || tao_rc=$tao_late
  while tao_group_lives; do sleep 0.3; done
  return "$tao_rc"
}

trap tao_rank_end EXIT
for tao_name in TERM INT HUP QUIT USR1 USR2; do trap "tao_pass_on $tao_name" "$tao_name"; done
tao_write "start=$(tao_clock) node=${SLURMD_NODENAME:-?}"
