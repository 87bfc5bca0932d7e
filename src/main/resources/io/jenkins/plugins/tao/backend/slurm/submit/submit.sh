# Sends a job to sbatch once for each key and attempt, whatever was lost before. Expects base, key, attempt, name, work (what the job runs, as a
# fingerprint; empty for a later attempt),
# script, avoid (nodes that failed, the last one first), away (what sbatch says without its controller), array (the members to send; empty for a single job) and the
# functions stage, convert, waits and note_conversion; rounds, when rest.sh follows, whose functions replace some of these. Answers in one line that starts with a word, more lines may explain. Starting a process takes a good part
# of the time of an sbatch, a file made and removed again some of it: what the shell can do alone, it does.
nl='
'
say() { printf '%s\n' "tao-submit $*"; }
fail() { say "$@"; exit 0; }
# Nobody reads these before we have let go of the lock; a half-written one is written again by the next try.
put() { { printf '%s\n' "$2" > "$1"; } 2> /dev/null || unwritten "$@"; }

# Why it was not: a shell's own printf does not say "No space left on device", cat does.
unwritten() {
  told=$({ printf '%s\n' "$2" | cat > "$1"; } 2>&1)
  fail stage "cannot write $1: $told"
}

# A file that only one of several can make, without starting a process. (A redirection of ":" that fails would end us.)
make_lock() {
  set -C
  { printf '' > "$mark.lock"; } 2> /dev/null
  made=$?
  set +C
  return "$made"
}

# Whoever hung for minutes finds its lock broken and the job sent by another, or about to be.
still_locked() {
  [ -n "$named" ] || return 0
  read -r by pid 2> /dev/null < "$mark.lock" || { by=; pid=; }
  [ "$by $pid" = "$us $$" ] || { taken_away=yes; fail busy; }
}

break_lock() { mv "$mark.lock" "$mark.lock.$$" 2> /dev/null && rm -f "$mark.lock.$$"; }

# Of a sending that went well it tells on the way when that began: one process instead of two. Not every find can.
let_go() {
  [ -z "$taken_away" ] || return 0
  if [ -n "$noted" ]; then
    find "$mark.lock" "$mark.sending" -name '*.lock' -delete -o -printf 'tao-since %Ts\n' 2> /dev/null \
      || { sent_at; printf 'tao-since %s\n' "$since"; }
  fi
  [ ! -e "$mark.lock" ] || rm -f "$mark.lock"
  [ -z "$held" ] || rm -rf "$held"
}

lock() {
  read -r us 2> /dev/null < /proc/sys/kernel/hostname || us=$(uname -n)
  tries=0
  until make_lock; do
    read -r by pid 2> /dev/null < "$mark.lock" || { by=; pid=; }
    if [ "$by" = "$us" ] && [ -n "$pid" ] && ! kill -0 "$pid" 2> /dev/null; then break_lock; continue; fi
    if [ -n "$(find "$mark.lock" -maxdepth 0 -mmin +5 2> /dev/null)" ]; then break_lock; continue; fi
    tries=$((tries + 1))
    if [ -e "$mark.lock" ]; then
      [ "$tries" -le 15 ] || fail busy
      sleep 1
    else
      [ "$tries" -le 15 ] || fail stage "cannot write in $base/submit: $(touch "$mark.try" 2>&1)"
    fi
  done
  trap let_go EXIT
  trap 'exit 1' HUP INT TERM
  { printf '%s %s\n' "$us" $$ > "$mark.lock" && named=yes; } 2> /dev/null
}

# An earlier try may have reached sbatch: adopt what it started. Jobs of other attempts have their ids noted, a job that
# was refused for its constraints was never one, and the members of an array are one job: %F is the id they share.
look() {
  others=$(cat "$base/submit/$key".*.id 2> /dev/null | cut -d' ' -f1)
  of_this_name
  found=$({
    printf '%s\n' "$queued" | awk '/^[0-9]/ && $3 != "BadConstraints" {print $1}'
    printf '%s\n' "$past" | awk -F'|' '/^[0-9]/ && !($2 == "FAILED" && $3 == "None assigned") {sub(/_.*/, "", $1); print $1}'
    recorded
  } | sort -u | { [ -n "$others" ] && grep -vxF "$others" || cat; })
  count=$(printf '%s\n' "$found" | grep -c .)
  [ "$count" -le 1 ] || fail several $found
  [ "$count" = 0 ] || { same_work; array=${sent:-$array}; taken "$found" adopted; }
}

# What Slurm has of this name, in queued and past.
of_this_name() {
  queued=$(squeue -h -t all -u "$(id -un)" --name="$name" -o '%F %T %r' 2>&1) || { say away; printf '%s\n' "$queued"; exit 0; }
  sent_at
  days=$((($(date +%s) - since) / 86400 + 2))
  past=$(sacct -X -n -P -S "now-${days}days" --name="$name" -o JobID,State,NodeList 2> /dev/null)
}

# The ids of jobs that have begun, by the notes of their frames: without accounting squeue forgets a job in minutes.
# Keys may begin alike.
recorded() {
  for record in "$base/exit/$key"-[0-9]*; do
    ran=${record#"$base/exit/$key-"}
    ran=${ran%%_*}
    case $ran in *[!0-9]*) ;; *) printf '%s\n' "$ran" ;; esac
  done
}

# When the sending began, by the file system's time and not by this host's clock, which may be another.
sent_at() {
  read -r since sent 2> /dev/null < "$mark.sending"
  case $since in '' | -) since=$(stat -c %Y -- "$mark.sending" 2> /dev/null) || since=$(date +%s) ;; esac
}

# The id that sbatch answered: of "Submitted batch job N", else of a line "N;cluster", else of a line "N". Other lines are words of
# the site, and warnings. Two different ones of a kind are no id: a banner may hold a number.
read_id() {
  submitted= federated= plain=
  set -f
  IFS=$nl
  for line in $answer; do
    line=${line#"${line%%[! ]*}"}
    line=${line%%[[:cntrl:]]*}
    line=${line%"${line##*[! ]}"}
    case $line in
      *'Submitted batch job '[0-9]*)
        line=${line##*'Submitted batch job '}
        line=${line%%[!0-9]*}
        submitted=${submitted:-$line}
        [ "$submitted" = "$line" ] || submitted=several
        ;;
      *[!0-9]*\;* | *\;*[!A-Za-z0-9_.-]* | \;* | *\;) ;;
      *\;*)
        federated=${federated:-${line%%;*}}
        [ "$federated" = "${line%%;*}" ] || federated=several
        ;;
      '' | *[!0-9]*) ;;
      *)
        plain=${plain:-$line}
        [ "$plain" = "$line" ] || plain=several
        ;;
    esac
  done
  unset IFS
  set +f
  id=${submitted:-${federated:-$plain}}
  [ "$id" != several ] || id=
}

# Notes the id with the time of the sending: what is older was not written by this attempt. For a new one that is the age
# of the file sending, told when the lock is let go. A disk that has no room for the note loses no job: it is told all the
# same, and would be found by its name.
taken() {
  note_conversion "$1"
  { printf '%s\n' "$1 $since${array:+ $array}" > "$mark.id"; } 2> /dev/null
  [ "$since" != - ] || noted=yes
  fail id "$1 $since${array:+ $array}" "$2"
}

# The description of the job names the code already: whoever tidies up sees that, or the code is found missing here.
use_code() {
  { [ -d "$1" ] && touch -c -- "$1"; } 2> /dev/null || fail code "$1"
}

# Whoever sends a job of an id that was sent already must mean the same job. Jobs of older versions do not tell.
same_work() {
  [ -n "$work" ] || return 0
  case $(cat "$base/meta/$key.json" 2> /dev/null) in
    *'"work":"'"$work"'"'*) ;;
    *'"work":"'*) fail other ;;
  esac
}

known() {
  same_work
  read -r id since array < "$mark.id"
  [ "$since" != - ] || sent_at
  fail id "$id $since${array:+ $array}" known
}

# Adds to what the script excludes the nodes to avoid that the cluster knows: sbatch takes one list only. A node that the script
# asks for by its name is not excluded: sbatch refuses a job that does both.
exclusion() {
  named=$(sed -n 's/^#SBATCH --nodelist=//p' "$script" | head -n 1)
  [ -z "$named" ] || named=$(scontrol show hostnames "$named" 2> /dev/null)
  all=$(sinfo -h -N -o %N 2> /dev/null | sort -u)
  list=$(sed -n 's/^#SBATCH --exclude=//p' "$script" | head -n 1)
  for node in $1; do
    ! printf '%s\n' "$named" | grep -qxF "$node" || continue
    printf '%s\n' "$all" | grep -qxF "$node" && list=$list${list:+,}$node
  done
  [ -z "$list" ] || printf '%s' "--exclude=$list"
}

# Whether nobody knows if Slurm took the job: sbatch was killed by a signal, or lost its controller on the way. The note of
# the sending stays then, and the next try looks for the job by its name. Words of a site's plugin decide nothing.
unclear() {
  [ "$rc" -gt 128 ] && [ "$rc" -le 192 ] && return
  verdict=$(printf '%s\n' "$answer" | grep -F 'submission failed: ') || verdict=$answer
  printf '%s\n' "$verdict" | grep -qiE "$away"
}

# What the job inherits is the language of its user, not ours.
hand_over() {
  still_locked
  answer=$(if [ -n "$language" ]; then LC_ALL=$language; else unset LC_ALL; fi
    sbatch --parsable --export=ALL ${mine:+"--comment=tao:$key of $mine${from-}"} ${array:+"--array=$array"} ${exclude:+"$exclude"} ${import:+"$import" --kill-on-invalid-dep=yes} "$script" 2>&1 < /dev/null)
  rc=$?
}

# Whether so many nodes are avoided that the rest is too small for the job. The words are those of
# ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE in slurm_errno.c.
too_few_nodes() {
  [ "$rc" != 0 ] || return 1
  case $answer in *'Requested node configuration is not available'*) ;; *) return 1 ;; esac
}

send() {
  [ -s "$mark.sending" ] && sent_at || since=-
  case $array in '' | *%*) ;; *) limit=$(sed -n 's/^#SBATCH --array=[^%]*//p' "$script" | head -n 1); array=$array$limit ;; esac
  put "$mark.sending" "$since${array:+ $array}"
  umask "$mask"
  TAO_ATTEMPT=$attempt
  export TAO_ATTEMPT
  exclude=
  [ -z "$avoid" ] || exclude=$(exclusion "$avoid")
  [ -z "$import" ] || import=$(waits)
  hand_over
  # Then the job avoids the node that failed last alone, and none if it has not run yet: what failed under others does not keep it away.
  case $avoid in *' '*) ! too_few_nodes || { exclude=$(exclusion "${avoid%% *}"); hand_over; } ;; esac
  case $attempt,$avoid in 1,?*) ! too_few_nodes || { exclude=; hand_over; } ;; esac
  umask 077
  if [ "$rc" = 0 ]; then
    read_id
    [ -n "$id" ] || { say odd; printf '%s\n' "$answer"; exit 0; }
    taken "$id" new
  fi
  if unclear; then
    say unclear "$rc"
    printf '%s\n' "$answer"
    exit 0
  fi
  rm -f "$mark.sending"
  say refused "$rc"
  printf '%s\n' "$answer"
  printf '%s\n' "$answer" | grep -qi 'partition' && printf 'tao-partitions %s\n' "$(sinfo -h -o %R 2> /dev/null | sort -u | tr '\n' ' ')"
  exit 0
}

folders() {
  told=$({ mkdir -p "$base/slurm-logs" "$base/exit" && umask 077 && mkdir -p "$base/submit" "$base/sbatch" \
    "$base/specs" "$base/env" "$base/meta" "$base/secrets" "$base/leases"; } 2>&1) || fail stage "$told"
}

main() {
  language=${LC_ALL-}
  LC_ALL=C
  export LC_ALL
  mask=$(umask)
  mark=$base/submit/$key.$attempt
  named=
  noted=
  taken_away=
  held=
  import=
  for folder in slurm-logs exit submit sbatch specs env meta secrets leases; do
    [ -d "$base/$folder" ] || { folders; break; }
  done
  umask 077
  lock
  [ ! -s "$mark.id" ] || known
  [ -z "$lease_minutes" ] || lease_take "$base/leases/$key" || fail held "$(lease_tell "$base/leases/$key")"
  [ ! -e "$mark.sending" ] || look
  stage
  [ -s "$script" ] || fail gone
  convert
  send
}

[ -n "$rounds" ] || main
