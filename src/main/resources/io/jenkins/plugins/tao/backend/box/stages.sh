# The stages of one attempt, sourced by wrapper.sh: prepare, wait for a place, run. POSIX sh.
tao_home=$HOME # before the job's own variables are read

tao_say() { echo "tao: $*" >&2; }

# What this attempt is at: one word, and why.
tao_stage() { echo "$*" >"$tao_attempt/stage.part" && mv -f "$tao_attempt/stage.part" "$tao_attempt/stage"; }

# A window for people. The job does not hang on it: tmux may be killed, or missing.
tao_tmux() {
  [ "$tao_detach" = tmux ] || return 0
  if ! command -v tmux >/dev/null 2>&1; then
    [ "$1" = end ] || tao_say "tmux is not installed; the job runs detached all the same"
  elif [ "$1" = begin ]; then
    env -u TAO_RUN tmux new-session -d -s "tao-$tao_key" -c "$tao_results" \
      "tail -n +1 -F '$tao_job/main.out' '$tao_job/main.err'" 2>/dev/null || tao_say "tmux did not start a session"
  else
    env -u TAO_RUN tmux kill-session -t "=tao-$tao_key" 2>/dev/null
  fi
}

# An address without what may be a key to it: the name before the host, and the query.
tao_shown() { printf '%s\n' "$1" | sed 's|[?#].*||; s|//[^/]*@|//|'; }

# Fetches $1 to $2 on this box. What stands still is broken off and taken up where it stood; 20 times without a byte is the end.
tao_download() {
  [ ! -e "$2" ] || return 0
  mkdir -p -- "${2%/*}" || return 1
  case $1 in
    s3://*) aws s3 cp --only-show-errors "$1" "$2.part" && mv -f -- "$2.part" "$2"; return ;;
    hf://*) hf download "${1#hf://}" --local-dir "$2.part" >/dev/null && mv -- "$2.part" "$2"; return ;;
  esac
  tao_tries=0 tao_had=$(wc -c 2>/dev/null <"$2.part" || echo 0)
  while [ "$tao_tries" -lt 20 ]; do
    if command -v curl >/dev/null 2>&1; then
      curl -fsSL -C - --connect-timeout 15 --speed-limit 1 --speed-time "$tao_still" -o "$2.part" "$1"
    else
      wget -q -c -t 1 -T "$tao_still" -O "$2.part" "$1"
    fi && { mv -f -- "$2.part" "$2"; return 0; }
    tao_has=$(wc -c 2>/dev/null <"$2.part" || echo 0)
    if [ "$tao_has" -gt "$tao_had" ]; then tao_tries=0; else tao_tries=$((tao_tries + 1)); fi
    tao_had=$tao_has
    tao_say "the download of $(tao_shown "$1") stood still or broke off at $((tao_has)) bytes; going on from there"
    sleep 1
  done
  return 1
}

# An environment of pinned packages, made once for each list of them.
tao_venv() {
  tao_venv=$tao_base/envs/$(cksum <"$tao_job/packages" | tr ' ' -)
  mkdir -p "$tao_base/envs"
  (
    flock 9 || exit 1
    [ -e "$tao_venv/.complete" ] && exit 0
    rm -rf -- "$tao_venv"
    tao_say "making the environment $tao_venv"
    python3 -m venv --system-site-packages "$tao_venv" && "$tao_venv/bin/python" -m pip install -q -r "$tao_job/packages" &&
      : >"$tao_venv/.complete"
  ) 9>"$tao_base/envs/lock" || return 1
  PATH=$tao_venv/bin:$PATH VIRTUAL_ENV=$tao_venv
  export PATH VIRTUAL_ENV
}

# An image is on this box before a GPU is taken and before the time limit runs. Apptainer keeps what it has converted.
tao_pull() {
  HOME=$tao_home
  case $tao_tool in
    apptainer) set -- apptainer exec "$tao_image" true ;;
    *) ! "$tao_tool" image inspect "$tao_image" >/dev/null 2>&1 || return 0
      set -- "$tao_tool" pull "$tao_image" ;;
  esac
  tao_stage "PREPARING pulls $tao_image"
  "$@" >/dev/null || return 1
  tao_stage PREPARING
}

tao_fail() { tao_say "$2"; exit "$1"; }

# All that needs no GPU comes before a GPU is taken.
tao_prepare() {
  tao_stage PREPARING
  [ -z "$tao_scratch" ] || mkdir -p -- "$tao_scratch" || tao_fail 73 "the scratch directory $tao_scratch cannot be made"
  [ -z "$tao_hook" ] || eval "$tao_hook" || tao_fail 73 "the proxy hook of this target failed"
  if [ -n "$tao_credentials" ]; then
    [ -r "$tao_credentials" ] || tao_fail 78 "the credential file $tao_credentials cannot be read"
    set -a
    . "$tao_credentials"
    set +a
  fi
  [ ! -s "$tao_job/packages" ] || tao_venv || tao_fail 73 "the environment could not be made"
  if [ -f "$tao_job/downloads" ]; then
    while read -r tao_url tao_file; do
      tao_download "$tao_url" "$tao_file" </dev/null || tao_fail 73 "$(tao_shown "$tao_url") could not be downloaded"
    done <"$tao_job/downloads"
  fi
  if [ -f "$tao_job/smoke" ]; then
    (cd "$tao_work" && CUDA_VISIBLE_DEVICES= exec bash "$tao_job/smoke") ||
      tao_fail 72 "the smoke command failed with exit code $?; nothing was started"
  fi
  [ -z "$tao_tool" ] || (tao_pull) || tao_fail 125 "$tao_tool could not fetch the image $tao_image"
}

# One try under the lock: "got 0,1", or "wait" and why. Tickets are served in their order; claims and tickets of the dead are void.
tao_try() {
  tao_queue=$tao_base/gpus/queue tao_held=$tao_base/gpus/held
  mkdir -p "$tao_queue" "$tao_held"
  if [ ! -e "$tao_attempt/ticket" ]; then
    tao_seq=$(($(cat "$tao_base/gpus/seq" 2>/dev/null || echo 0) + 1))
    echo "$tao_seq" >"$tao_base/gpus/seq"
    echo "$tao_queue/$(printf %09d "$tao_seq")" >"$tao_attempt/ticket"
    echo "$tao_attempt" >"$(cat "$tao_attempt/ticket")"
  fi
  tao_ahead=0
  for tao_file in "$tao_queue"/*; do
    read -r tao_owner 2>/dev/null <"$tao_file" || continue
    [ "$tao_owner" != "$tao_attempt" ] || break
    if tao_live "$tao_owner"; then tao_ahead=$((tao_ahead + 1)); else rm -f -- "$tao_file"; fi
  done
  tao_slots=0 tao_claims=
  for tao_file in "$tao_held"/*; do
    read -r tao_owner 2>/dev/null <"$tao_file" || continue
    if ! tao_live "$tao_owner"; then rm -f -- "$tao_file"; continue; fi
    tao_owner=${tao_owner%/*}
    case $tao_file in
      */slot-*) tao_slots=$((tao_slots + 1)) ;;
      *) tao_claims="${tao_claims}held ${tao_file##*/gpu-} ${tao_owner##*/}
" ;;
    esac
  done
  if [ "$tao_ahead" -gt 0 ]; then echo "wait $tao_ahead jobs are ahead"; return; fi
  if [ "$tao_most" -gt 0 ] && [ "$tao_slots" -ge "$tao_most" ]; then echo "wait $tao_slots jobs run, as many as may"; return; fi
  tao_got=
  if [ "$tao_wanted" -gt 0 ]; then
    tao_seen=$({ printf %s "$tao_claims"; tao_gpus; } | tao_free)
    tao_got=$(printf '%s\n' "$tao_seen" | awk -v n="$tao_wanted" '$1 == "free" && k < n { s = s (k++ ? "," : "") $2 } END { if (k == n) print s }')
    if [ -z "$tao_got" ]; then
      echo "wait for $tao_wanted free GPUs; $(printf '%s\n' "$tao_seen" | sed -n 's/^busy \([0-9]*\)/GPU \1:/p' | paste -s -d ';' - | sed 's/;/; /g')"
      return
    fi
  fi
  for tao_gpu in $(echo "$tao_got" | tr , ' '); do echo "$tao_attempt" >"$tao_held/gpu-$tao_gpu"; done
  [ "$tao_most" = 0 ] || echo "$tao_attempt" >"$tao_held/slot-$tao_key"
  rm -f -- "$(cat "$tao_attempt/ticket")"
  echo "$tao_got" >"$tao_attempt/gpus"
  echo "got $tao_got"
}

# Waits for GPUs and for a place among the jobs of this box. A job that asks for none sees none: others may hold them.
tao_acquire() {
  export CUDA_VISIBLE_DEVICES= CUDA_DEVICE_ORDER=PCI_BUS_ID
  [ "$tao_wanted" -gt 0 ] || [ "$tao_most" -gt 0 ] || return 0
  mkdir -p "$tao_base/gpus"
  while :; do
    tao_answer=$( (flock 9 && tao_try) 9>"$tao_base/gpus/lock") ||
      tao_fail 73 "the queue of this box cannot be locked; flock is needed"
    case $tao_answer in got*) break ;; esac
    [ "$tao_answer" = "$tao_before" ] || tao_stage "QUEUED ${tao_answer#wait }"
    tao_before=$tao_answer
    sleep "$tao_pause"
  done
  tao_ids=${tao_answer#got}
  tao_ids=${tao_ids# }
  CUDA_VISIBLE_DEVICES=$tao_ids
}

tao_release() {
  [ ! -e "$tao_attempt/ticket" ] || rm -f -- "$(cat "$tao_attempt/ticket")"
  for tao_file in "$tao_base"/gpus/held/*; do
    if read -r tao_owner 2>/dev/null <"$tao_file" && [ "$tao_owner" = "$tao_attempt" ]; then rm -f -- "$tao_file"; fi
  done
}

# In the runtime of the job itself: as many GPUs as asked for, and a framework that can use them. nvidia-smi knows nothing of
# CUDA_VISIBLE_DEVICES: outside a container it counts those of the box, and the framework those of the job.
tao_check='tao_found=$(nvidia-smi -L 2>/dev/null | grep -c "^GPU ")
[ "$tao_found" -ge "$1" ] || { echo "tao: $1 GPUs are asked for, nvidia-smi shows $tao_found" >&2; exit 71; }
tao_torch=$(python3 -c "import torch; print(torch.cuda.is_available(), torch.cuda.device_count())" 2>/dev/null)
case $tao_torch in
  False*) echo "tao: torch.cuda.is_available() is False: the framework cannot use the GPU" >&2; exit 71 ;;
  "True "*[!0-9]*) ;;
  "True "*) [ "${tao_torch#True }" -ge "$1" ] || { echo "tao: $1 GPUs are asked for, torch sees ${tao_torch#True }" >&2; exit 71; } ;;
esac'

tao_run() {
  tao_stage RUNNING
  date +%s >"$tao_attempt/started"
  [ "$tao_wall" = 0 ] || (trap - TERM; sleep "$tao_wall"; : >"$tao_attempt/time-limit"; kill -TERM 0) &
  if [ -n "$tao_tool" ]; then
    tao_in_container
  else
    cd "$tao_work" || exit 73
    [ "$tao_wanted" = 0 ] || [ -z "$tao_verify" ] || sh -c "$tao_check" sh "$tao_wanted" || exit 71
    exec bash "$tao_job/command"
  fi
}

# The container belongs to its daemon; here its log is followed and its end awaited, whatever signals come.
tao_in_container() {
  trap : TERM
  . "$tao_job/container.sh"
  if [ "$tao_tool" = apptainer ]; then
    trap - TERM
    tao_container_run
    exit
  fi
  # The client finds its logins, and podman its containers, in the home of its user; the job has another.
  tao_home_inside=/tmp
  [ "$HOME" = "$tao_home" ] || tao_home_inside=$HOME
  HOME=$tao_home
  if ! "$tao_tool" inspect -f '{{.State.Status}}' "$tao_name" >/dev/null 2>&1; then
    tao_container_run >/dev/null || tao_fail 125 "$tao_tool did not start the container"
  fi
  echo "$tao_tool $tao_name" >"$tao_attempt/container"
  "$tao_tool" logs -f "$tao_name" &
  tao_logs=$!
  "$tao_tool" wait "$tao_name" >/dev/null 2>&1 &
  wait $!
  while :; do
    set -- $(tao_container "$tao_attempt")
    case $1 in running | paused | created | restarting) sleep 0.2 ;; *) break ;; esac
  done
  [ ! -e "$tao_attempt/cancel" ] && wait "$tao_logs" 2>/dev/null
  exit "${2:-125}"
}

tao_clean() { [ -z "$tao_scratch" ] || [ -z "$tao_clean_up" ] || rm -rf -- "$tao_scratch"; }
