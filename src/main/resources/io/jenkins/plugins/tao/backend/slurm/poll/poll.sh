# One look at many jobs. Expects ids (commas), counts (of those that are arrays, id=members, blanks between), the function
# member_records, the paths of the jobs' exit records as arguments, and what lease.sh expects.
nl='
'

# Every few minutes, and at once for the jobs named in lease_new: renews our leases and tells those of others.
leases() {
  bases=$nl
  due=
  for record; do
    base=${record%/exit/*}
    case $bases in *"$nl$base$nl"*) continue ;; esac
    bases=$bases$base$nl
    names=
    now=
    ! lease_due "$base/leases" || { now=1; due=1; }
    [ -n "$now$lease_new" ] || continue
    for other; do
      [ "${other%/exit/*}" = "$base" ] || continue
      name=${other##*/}
      name=${name%-*}
      case " $lease_new " in *" $name "*) ;; *) [ -n "$now" ] || continue ;; esac
      names="$names $name"
    done
    [ -n "$names" ] || continue
    printf 'tao-leases 0\n'
    if [ -n "$now" ]; then lease_renew "$base/leases" $names; else lease_foreign "$base/leases" $names; fi
    [ -z "$now" ] || [ -n "$(find "$base/leases/.tidied" -mtime -1 2> /dev/null)" ] || printf 'tao-tidy 0\n'
  done
}

# What running jobs hold, and what they may. Asks the nodes themselves, so only as often as leases are renewed.
memory() {
  live=$(printf '%s\n' "$queue" | awk -F"$sep" '
    $2 == "RUNNING" && $1 ~ /^[0-9]+$/ { printf "%s%s", c, $1; c = ","; if (++n == 200) exit }')
  [ -n "$live" ] || return 0
  printf 'tao-granted 0\n'
  squeue -h -j "$live" -O 'JobID:20,NumNodes:12,tres-alloc:400' 2> /dev/null
  printf 'tao-memory 0\n'
  timeout 30 sstat -a -n -P --noconvert -j "$live" -o JobID,MaxRSS 2> /dev/null
}

# The names of those who cancelled jobs: squeue does not tell, and sacct tells a number.
users() {
  uids=$(printf '%s\n' "$past" | sed -n 's/.*CANCELLED by \([0-9][0-9]*\).*/\1/p' | sort -u)
  [ -n "$uids" ] || return 0
  printf 'tao-users 0\n'
  for uid in $uids; do printf '%s %s\n' "$uid" "$(id -nu "$uid" 2> /dev/null)"; done
}

# All runs of those jobs that ran more than once, by their notes, and are over: squeue has the last run alone, accounting each with its times.
runs() {
  again=$(printf '%s\n%s\n' "$queue" "$notes" | awk -F"$sep" '
    NF > 2 { if ($2 ~ /^(PENDING|CONFIGURING|RUNNING|SUSPENDED|COMPLETING)/) live[$1]; next }
    /-[0-9]+(_[0-9]+)?:run=[1-9]/ {
      sub(/:run=.*/, ""); sub(/.*-/, "")
      if (!($0 in live)) { live[$0]; printf "%s%s", c, $0; c = "," }
    }')
  [ -n "$again" ] || return 0
  printf 'tao-runs 0\n'
  sacct -X -D -n -P --delimiter="$sep" -j "$again" -o JobID,State,ExitCode,Start,End,NodeList,JobName 2> /dev/null
}

# Of jobs in the arguments that squeue does not have, the controller is asked once more, each by itself: an empty list proves nothing. Its
# answers become rows like those of squeue; an id of which it does not say whether it knows it stands alone.
ask_again() {
  printf 'tao-now 0\n%s\ntao-again 0\n' "$(date +%s)"
  for id; do
    said=$(scontrol -o show job "$id" 2>&1)
    printf '%s\n' "$said" | awk -v id="$id" -v code=$? -v sep="$sep" '
      function field(name, line) {
        line = " " $0
        if (!match(line, " " name "=")) return ""
        line = substr(line, RSTART + RLENGTH)
        if (name == "Reason") sub(/ Dependency=.*/, "", line); else sub(/ .*/, "", line)
        return line
      }
      /^JobId=/ {
        own = field("ArrayTaskId") ~ /^[0-9]+$/ ? field("ArrayJobId") "_" field("ArrayTaskId") : id
        print own sep field("JobState") sep field("Reason") sep field("NodeList") sep field("StartTime") sep field("EndTime") sep \
          field("SubmitTime") sep field("JobName")
        next
      }
      code != 0 && !/Invalid job id/ { print id }'
  done
}

poll() {
  LC_ALL=C SLURM_TIME_FORMAT=%s
  export LC_ALL SLURM_TIME_FORMAT
  sep=$(printf '\037')
  queue=$(squeue -h -r -t all -j "$ids" -o "%i$sep%T$sep%r$sep%N$sep%S$sep%e$sep%V$sep%j" 2>&1)
  printf 'tao-squeue %s\n%s\n' $? "$queue"
  absent=$(printf '%s\n' "$queue" | awk -F"$sep" -v ids="$ids" -v counts="$counts" '
    NF > 2 { id = $1; sub(/_.*/, "", id); seen[id]++; if ($2 == "CANCELLED") asked[id] }
    END {
      n = split(counts, some, " "); for (i = 1; i <= n; i++) { split(some[i], p, "="); members[p[1]] = p[2] }
      n = split(ids, want, ",")
      for (i = 1; i <= n; i++) if (seen[want[i]] + 0 < (want[i] in members ? members[want[i]] : 1) || want[i] in asked) { printf "%s%s", c, want[i]; c = "," }
    }')
  if [ -n "$absent" ]; then
    past=$(sacct -X -n -P --delimiter="$sep" -j "$absent" \
      -o JobID,State,ExitCode,Start,End,NodeList,JobName 2>&1)
    printf 'tao-sacct %s\n%s\n' $? "$past"
    users
    lost=$(printf '%s\n' "$queue" | awk -F"$sep" -v ids="$absent" '
      NF > 2 { sub(/_.*/, "", $1); seen[$1] }
      END { n = split(ids, want, ","); for (i = 1; i <= n && k < 50; i++) if (!(want[i] in seen)) { print want[i]; k++ } }')
    [ -z "$lost" ] || ask_again $lost
  fi
  notes=$(grep -sH '^run=' -- "$@")
  [ -z "$counts" ] || notes=$notes$nl$(member_records)
  printf 'tao-records 0\n%s\n' "$notes"
  runs
  leases "$@"
  [ -z "$due" ] || memory
  printf 'tao-end 0\n'
}
poll "$@"
