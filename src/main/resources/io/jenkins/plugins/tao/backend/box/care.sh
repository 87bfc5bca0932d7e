# Looks after a box itself; expects tao_base. Writes and deletes nothing.

# "age UPTIME FIRST-JOB RUNNING QUEUED ENDED UNPROVED": seconds up, epoch of the first job, jobs by state.
tao_age() {
  tao_first=- tao_run=0 tao_wait=0 tao_over=0 tao_away=0
  for tao_dir in "$tao_base"/jobs/*/attempt-*; do
    [ -d "$tao_dir" ] || continue
    tao_now=
    [ ! -f "$tao_dir/stage" ] || read -r tao_now tao_more <"$tao_dir/stage"
    if [ ! -e "$tao_dir/exit" ] && tao_live "$tao_dir"; then
      case $tao_now in QUEUED) tao_wait=$((tao_wait + 1)) ;; *) tao_run=$((tao_run + 1)) ;; esac
    else
      read -r tao_pid tao_start tao_was tao_since 2>/dev/null <"$tao_dir/process" || tao_since=
      tao_over=$((tao_over + 1))
      [ -e "${tao_dir%/*}/home" ] || tao_away=$((tao_away + 1))
    fi
    case $tao_since in
      '' | *[!0-9]*) ;;
      *) if [ "$tao_first" = - ] || [ "$tao_since" -lt "$tao_first" ]; then tao_first=$tao_since; fi ;;
    esac
  done
  echo "host $(hostname 2>/dev/null || uname -n)"
  echo "age $(tao_uptime | cut -d. -f1) $tao_first $(date +%s) $tao_run $tao_wait $tao_over $tao_away"
}

tao_look() {
  tao_age
  tao_room "$tao_base"
  nvidia-smi --query-gpu=index,utilization.gpu,clocks.sm,clocks.max.sm,power.draw,power.limit,temperature.gpu \
    --format=csv,noheader,nounits 2>/dev/null | sed 's/^/gpu health: /'
  tao_claims=
  for tao_file in "$tao_base"/gpus/held/gpu-*; do
    read -r tao_owner 2>/dev/null <"$tao_file" || continue
    tao_live "$tao_owner" || continue
    tao_owner=${tao_owner%/*}
    tao_claims="${tao_claims}held ${tao_file##*/gpu-} ${tao_owner##*/}
"
  done
  { printf %s "$tao_claims"; tao_gpus; } | tao_free | sed 's/^/gpu: /'
  for tao_dir in "$tao_base"/jobs/*/attempt-*; do
    [ -d "$tao_dir" ] && [ ! -e "$tao_dir/exit" ] && tao_live "$tao_dir" || continue
    tao_job=${tao_dir%/*}
    echo "job: ${tao_job##*/} $(cat "$tao_dir/stage" 2>/dev/null)"
  done
  tmux ls 2>/dev/null | sed 's/^/tmux: /'
}

# The largest directories of the job's places and of the caches, also behind symbolic links.
tao_largest() {
  for tao_dir in "$tao_base" "$1" "$2" "$HOME/.cache" "$HOME/.cache/huggingface" "$HF_HOME"; do
    [ -d "$tao_dir" ] && (cd -P -- "$tao_dir" && pwd)
  done | sort -u | while read -r tao_dir; do
    timeout 40 du -xk -d 2 -- "$tao_dir" 2>/dev/null
  done | sort -rn | awk '!seen[$0]++' | head -n 15 | sed 's/^/du /'
}

# "running KEY" and "away KEY FILE": what a release would lose.
tao_proof() {
  for tao_job in "$tao_base"/jobs/*; do
    [ -d "$tao_job" ] || continue
    for tao_dir in "$tao_job"/attempt-*; do
      if [ ! -e "$tao_dir/exit" ] && tao_live "$tao_dir"; then echo "running ${tao_job##*/}"; fi
    done
    (
      tao_attempt=$tao_dir
      # Asked first: a shell ends when "." finds no file, and what follows it is never reached.
      [ -r "$tao_job/settings" ] || { echo "away ${tao_job##*/} settings"; exit; }
      . "$tao_job/settings"
      [ -d "$tao_results" ] || exit 0
      # What cannot be read is told by an error line, which no list of checksums holds: it counts as not at home.
      # What came home with an earlier job of this directory, under the same name and checksum, is at home too.
      cd "$tao_results" && {
        cat "$tao_base"/jobs/*/home 2>/dev/null
        echo
        find . -type f -exec sha256sum -- {} + 2>&1
      } | awk -v key="${tao_job##*/}" '
        $0 == "" { listed = 1; next }
        !listed { home[$0] = 1; next }
        !($0 in home) { sub(/^[^ ]*  /, ""); print "away " key " " $0 }'
    )
  done
}
