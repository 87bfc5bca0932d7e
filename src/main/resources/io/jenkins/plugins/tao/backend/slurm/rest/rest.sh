# Follows submit.sh where Slurm is asked by REST and not by commands of this host. Then a submission has several rounds: each ends where something has to
# be asked, with a line "ask WHAT LOCK", and leaves its lock to the next. Expects turn (what that lock says; empty for the first round), looked (not empty:
# of_this_name is answered by found_queued and found_past) and outcome (taken, refused or unclear; empty: nothing was sent yet), with answered for what was said.
ask() {
  still_locked
  printf '%s %s\n' "rest@$us" $$ > "$mark.lock" || fail stage "cannot write $mark.lock"
  taken_away=yes
  sent_at
  say "ask $1 rest@$us $$ $since"
}

# The lock is the one that the round before has left, or somebody took it as one of minutes ago.
take_turn() {
  read -r us 2> /dev/null < /proc/sys/kernel/hostname || us=$(uname -n)
  read -r left 2> /dev/null < "$mark.lock" || left=
  [ "$left" = "$turn" ] || fail busy
  trap let_go EXIT
  trap 'exit 1' HUP INT TERM
  { printf '%s %s\n' "$us" $$ > "$mark.lock" && named=yes; } 2> /dev/null || fail stage "cannot write $mark.lock"
}

if [ -n "$turn" ]; then
  lock() { take_turn; }
fi

of_this_name() {
  [ -n "$looked" ] || { ask find; exit 0; }
  sent_at
  queued=$found_queued
  past=$found_past
}

hand_over() {
  still_locked
  if [ -z "$outcome" ]; then
    ask submit
    printf 'tao-path %s\ntao-array %s\ntao-script 0\n' "$PATH" "$array"
    cat -- "$script"
    exit 0
  fi
  answer=$answered
  rc=0
  [ "$outcome" = taken ] || rc=1
}

unclear() { [ "$outcome" = unclear ]; }
sinfo() { :; }
main
