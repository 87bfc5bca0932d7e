# Sends a job to sbatch once for each key and attempt, whatever was lost before. Expects base, key, attempt, name,
# script, avoid and the functions stage, convert, waits and note_conversion. Answers in one line that starts with a
# word, more lines may explain. Starting a process takes a good part of the time of an sbatch: what the shell can do
# alone, it does.
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

break_lock() { mv "$mark.lock" "$mark.lock.$$" 2> /dev/null && rm -f "$mark.lock.$$"; }

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
  trap 'rm -rf "$mark.lock" ${noted:+"$mark.sending" "$mark.err"} ${held:+"$held"}' EXIT
  trap 'exit 1' HUP INT TERM
  { printf '%s %s\n' "$us" $$ > "$mark.lock"; } 2> /dev/null
}

# An earlier try may have reached sbatch: adopt what it started. Jobs of other attempts have their ids noted, and a
# job that was refused for its constraints was never one.
look() {
  others=$(cat "$base/submit/$key".*.id 2> /dev/null | cut -d' ' -f1)
  queued=$(squeue -h -t all -u "$(id -un)" --name="$name" -o '%A %T %r' 2>&1) || { say away; printf '%s\n' "$queued"; exit 0; }
  read -r since < "$mark.sending" || since=0
  days=$((($(date +%s) - ${since:-0}) / 86400 + 2))
  past=$(sacct -X -n -P -S "now-${days}days" --name="$name" -o JobIDRaw,State,NodeList 2> /dev/null)
  found=$({
    printf '%s\n' "$queued" | awk '/^[0-9]/ && $3 != "BadConstraints" {print $1}'
    printf '%s\n' "$past" | awk -F'|' '/^[0-9]/ && !($2 == "FAILED" && $3 == "None assigned") {print $1}'
  } | sort -u | { [ -n "$others" ] && grep -vxF "$others" || cat; })
  count=$(printf '%s\n' "$found" | grep -c .)
  [ "$count" -le 1 ] || fail several $found
  [ "$count" = 0 ] || taken "$found" adopted
}

# When the sending began, by the file system's time and not by this host's clock, which may be another.
sent_at() {
  read -r since 2> /dev/null < "$mark.sending"
  [ -n "$since" ] || since=$(stat -c %Y -- "$mark.sending" 2> /dev/null) || since=$(date +%s)
}

# Notes the id with the time of the sending: what is older was not written by this attempt.
taken() {
  sent_at
  note_conversion "$1"
  put "$mark.id" "$1 $since"
  noted=yes
  fail id "$1 $since" "$2"
}

# Adds to what the script excludes the nodes to avoid that the cluster knows: sbatch takes one list only.
exclusion() {
  all=$(sinfo -h -N -o %N 2> /dev/null | sort -u)
  list=$(sed -n 's/^#SBATCH --exclude=//p' "$script" | head -n 1)
  for node in $avoid; do
    printf '%s\n' "$all" | grep -qxF "$node" && list=$list${list:+,}$node
  done
  [ -z "$list" ] || printf '%s' "--exclude=$list"
}

send() {
  put "$mark.sending" ''
  sent_at
  put "$mark.sending" "$since"
  umask "$mask"
  unset SBATCH_OUTPUT SBATCH_ERROR SBATCH_JOB_NAME SBATCH_OPEN_MODE SBATCH_REQUEUE SBATCH_NO_REQUEUE SBATCH_EXPORT
  TAO_ATTEMPT=$attempt
  export TAO_ATTEMPT
  exclude=
  [ -z "$avoid" ] || exclude=$(exclusion)
  [ -z "$import" ] || import=$(waits)
  answer=$(sbatch --parsable --export=ALL ${exclude:+"$exclude"} ${import:+"$import" --kill-on-invalid-dep=yes} "$script" 2> "$mark.err" < /dev/null)
  rc=$?
  umask 077
  id=${answer##*"$nl"}
  id=${id%%;*}
  case $rc,$id in
    0,*[!0-9]* | 0,) say odd; printf '%s\n' "$answer"; cat "$mark.err"; exit 0 ;;
    0,*) taken "$id" new ;;
  esac
  grep -qiE 'contact slurm|timed? ?out|zero bytes|connection|communication' "$mark.err" || rm -f "$mark.sending"
  say refused "$rc"
  cat "$mark.err"
  grep -qi 'partition' "$mark.err" && printf 'tao-partitions %s\n' "$(sinfo -h -o %R 2> /dev/null | sort -u | tr '\n' ' ')"
  exit 0
}

folders() {
  told=$({ mkdir -p "$base/slurm-logs" "$base/exit" && umask 077 && mkdir -p "$base/submit" "$base/sbatch" \
    "$base/specs" "$base/env" "$base/meta" "$base/secrets" "$base/leases"; } 2>&1) || fail stage "$told"
}

main() {
  LC_ALL=C
  export LC_ALL
  mask=$(umask)
  mark=$base/submit/$key.$attempt
  noted=
  held=
  import=
  for folder in slurm-logs exit submit sbatch specs env meta secrets leases; do
    [ -d "$base/$folder" ] || { folders; break; }
  done
  umask 077
  lock
  [ ! -s "$mark.id" ] || fail id "$(cat "$mark.id")" known
  [ -z "$lease_minutes" ] || lease_take "$base/leases/$key" || fail held "$(lease_tell "$base/leases/$key")"
  [ ! -e "$mark.sending" ] || look
  stage
  [ -s "$script" ] || fail gone
  convert
  send
}

main
