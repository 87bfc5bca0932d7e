# Leases: which controller may change a job. A lease is a directory with one file in it: the file's name is the holder,
# its time the last renewal. To take it over is one rename, so that of several who try one wins, on NFS and Lustre too;
# all ages are the cluster's. Expects me (a holder, empty for nobody), mine (words for people), session and
# lease_minutes. Beside the leases lies one file .HOLDER a controller: its session, and the words for it.

# The holder of lease $1 in holder; empty when nobody holds it.
lease_look() {
  holder=
  for lease_file in "$1"/*; do
    [ ! -f "$lease_file" ] || { holder=${lease_file##*/}; return; }
  done
}

# Whether the holder just looked up has renewed lease $1 lately.
lease_fresh() { [ -n "$(find "$1/$holder" -mmin "-$lease_minutes" 2> /dev/null)" ]; }

lease_sign() {
  printf '%s\n' "$session" "$mine" > "$1/.$me.$$" && mv -f "$1/.$me.$$" "$1/.$me"
} 2> /dev/null

# Makes lease $1 ours when it is free, ours or expired; with $2 = force, whoever holds it now. Fails when another
# holds it: lease_tell tells who. A disk that takes no lease keeps nobody from what nobody holds.
lease_take() {
  lease_how=$2
  lease_tries=0
  while [ "$lease_tries" -lt 5 ]; do
    lease_look "$1"
    [ "$holder" != "$me" ] || return 0
    if [ -z "$me" ]; then
      lease_fresh "$1" && return 1
      return 0
    elif [ -z "$holder" ]; then
      if mkdir "$1" 2> /dev/null; then
        { printf '' > "$1/$me"; } 2> /dev/null
        [ -e "${1%/*}/.$me" ] || lease_sign "${1%/*}"
        return 0
      fi
      [ -d "$1" ] || return 0
      # Somebody is between the two steps above, or died there.
      [ -z "$(find "$1" -maxdepth 0 -mmin +2 2> /dev/null)" ] || rmdir "$1" 2> /dev/null
      sleep 1
    elif [ "$lease_how" = force ] || ! lease_fresh "$1"; then
      # Renewed before it is renamed: nobody shall see it expired under our name. Who loses the race forces no more.
      touch -c "$1/$holder" 2> /dev/null
      lease_how=
      if mv "$1/$holder" "$1/$me" 2> /dev/null; then
        lease_sign "${1%/*}"
        return 0
      fi
    else
      return 1
    fi
    lease_tries=$((lease_tries + 1))
  done
  [ -z "$holder" ]
}

# Name of lease $1, its holder, since when, when last renewed (epoch seconds or -), and the holder in words.
lease_tell() {
  lease_words=
  { read -r lease_line && read -r lease_words; } 2> /dev/null < "${1%/*}/.$holder"
  lease_since=$(date -r "$1" +%s 2> /dev/null) || lease_since=-
  lease_renewed=$(date -r "$1/$holder" +%s 2> /dev/null) || lease_renewed=-
  printf '%s %s %s %s %s\n' "${1##*/}" "$holder" "$lease_since" "$lease_renewed" "$lease_words"
}

# Whether the leases of directory $1 have to be gone through: every few minutes, and at first.
lease_due() { [ -n "$me" ] && [ -d "$1" ] && [ -z "$(find "$1/.$me" -mmin "-$lease_renew" 2> /dev/null)" ]; }

# Tells those leases of directory $1, the others by name, that another controller holds; lease_ours gets ours.
lease_foreign() {
  lease_dir=$1
  shift
  lease_ours=
  for lease_name; do
    lease_look "$lease_dir/$lease_name"
    case $holder in
      '') ;;
      "$me") lease_ours="$lease_ours $lease_name/$me" ;;
      *) ! lease_fresh "$lease_dir/$lease_name" || lease_tell "$lease_dir/$lease_name" ;;
    esac
  done
}

# The same, and renews ours. Ends with a line "swept", or "twin" when another process has used our name since we did.
lease_renew() {
  lease_foreign "$@"
  [ -z "$lease_ours" ] || (cd "$lease_dir" && touch -c $lease_ours)
  { read -r lease_line; } 2> /dev/null < "$lease_dir/.$me" || lease_line=$session
  if [ -n "$lease_begun" ] && [ "$lease_line" != "$session" ]; then echo twin; else echo swept; fi
  lease_sign "$lease_dir"
}

# Every few minutes as lease_renew for the leases of directory $1, the others by name; between, tells those of lease_new alone.
lease_sweep() {
  if lease_due "$1"; then
    lease_renew "$@"
  elif [ -n "$lease_new" ] && [ -d "$1" ]; then
    lease_foreign "$1" $lease_new
  fi
}
