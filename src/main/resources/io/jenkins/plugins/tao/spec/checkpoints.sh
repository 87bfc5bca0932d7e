# ---- checkpoints: what this attempt resumes from, and which of them stay; POSIX sh ----
# Inputs: tao_ck_root (results directory), tao_ck_train (its training folder), tao_ck_folders, tao_ck_names, tao_ck_latest, tao_ck_arguments,
# tao_ck_whole (columns of checkpoints.tsv), tao_ck_resume (auto, never or a path), tao_ck_last (0 to remove none), tao_ck_metric,
# tao_ck_sign (1 where more is better, else -1), tao_ck_told (not empty where the command takes the arguments).
# Sets TAO_RESUME_CHECKPOINT, empty for a start anew, and tao_resume_1 and tao_resume_2, arguments of the command.
tao_ck_say() { printf 'tao: %s\n' "$*" >&2; }

# The checkpoints in a folder, oldest first by their numbers. A name that is no checkpoint of this network is never taken.
tao_ck_in() {
  for tao_ck_each in "$1"/*; do
    [ ! -L "$tao_ck_each" ] && [ -e "$tao_ck_each" ] && printf '%s\n' "${tao_ck_each##*/}"
  done | LC_ALL=C grep -Ex -- "$tao_ck_names" | LC_ALL=C awk '{
    rest = $0; key = ""
    while (match(rest, /[0-9]+/)) {
      number = substr(rest, RSTART, RLENGTH); sub(/^0+/, "", number)
      at = RSTART + RLENGTH; key = key sprintf("%20s", number) "."; rest = substr(rest, at)
    }
    gsub(/ /, "0", key); print key "\t" $0
  }' | LC_ALL=C sort | cut -f 2
}

tao_ck_folders_of() {
  tao_ck_rest=$tao_ck_folders
  while [ -n "$tao_ck_rest" ]; do
    tao_ck_part=${tao_ck_rest%%|*}
    case $tao_ck_rest in *'|'*) tao_ck_rest=${tao_ck_rest#*|} ;; *) tao_ck_rest= ;; esac
    case $tao_ck_part in
      .) printf '%s\n' "$tao_ck_root" ;;
      train) printf '%s\n' "$tao_ck_train" ;;
      *) for tao_ck_folder in "$tao_ck_root"/$tao_ck_part; do [ ! -d "$tao_ck_folder" ] || printf '%s\n' "$tao_ck_folder"; done ;;
    esac
  done
}

tao_ck_size() { wc -c < "$1" 2> /dev/null | tr -d ' '; }

tao_ck_bytes() { od -An -tx1 | tr -d ' \n'; }

# Whether an archive has its beginning and its end: torch.save writes the end last, and a crash of the node leaves zeros there.
tao_ck_is_zip() {
  [ -f "$1" ] && [ "$(head -c 4 -- "$1" 2> /dev/null | tao_ck_bytes)" = 504b0304 ] &&
    [ "$(tail -c 22 -- "$1" 2> /dev/null | head -c 4 | tao_ck_bytes)" = 504b0506 ]
}

# Whether each rank that wrote has said that it is done, none of them missing in between, and no other checkpoint has more.
tao_ck_is_of_all_ranks() {
  tao_ck_policy=$1/policy
  [ -d "$tao_ck_policy" ] && [ -e "$tao_ck_policy/cosmos_config" ] || return 1
  tao_ck_rank=0
  while [ -e "$tao_ck_policy/.rank_${tao_ck_rank}_complete" ]; do tao_ck_rank=$((tao_ck_rank + 1)); done
  [ "$tao_ck_rank" -gt 0 ] && [ ! -e "${1%/*}/${1##*/}/policy/model_rank_$tao_ck_rank.pth" ] || return 1
  for tao_ck_other in "${1%/*}"/*/policy/.rank_"$tao_ck_rank"_complete; do [ ! -e "$tao_ck_other" ] || return 1; done
}

tao_ck_is_whole() {
  case $tao_ck_whole in
    zip) tao_ck_is_zip "$1" ;;
    ranks) tao_ck_is_of_all_ranks "$1" ;;
    *) return 1 ;;
  esac
}

# A file that somebody still writes to, a process of a lost node for one, is not whole whatever its end.
tao_ck_is_settled() {
  [ -f "$1" ] || return 0
  tao_ck_then=$(tao_ck_size "$1")
  sleep "${tao_ck_pause:-1}"
  [ "$tao_ck_then" = "$(tao_ck_size "$1")" ]
}

# Whether it was written by this job: a directory that people name may hold those of the night before.
tao_ck_is_ours() {
  case $tao_ck_root/ in */"$TAO_JOB_ID"/*) return 0 ;; esac
  ! [ "$tao_ck_mark" -nt "$1" ]
}

# Notes when this job began; a further attempt keeps the time of the first.
tao_ck_begin() {
  tao_ck_mark=$tao_ck_root/.tao/checkpoints
  tao_ck_owner=
  { read -r tao_ck_owner < "$tao_ck_mark"; } 2> /dev/null
  [ "$tao_ck_owner" != "$TAO_JOB_ID" ] || return 0
  { mkdir -p -- "$tao_ck_root/.tao" && printf '%s\n' "$TAO_JOB_ID" > "$tao_ck_mark.$tao_ck_node" &&
    mv -f -- "$tao_ck_mark.$tao_ck_node" "$tao_ck_mark"; } 2> /dev/null
}

# Prints the newest whole checkpoint of a folder; $2 is not empty where those of other jobs count too.
tao_ck_newest() {
  tao_ck_found=
  for tao_ck_name in $(tao_ck_in "$1" | sed '1!G;h;$!d'); do
    tao_ck_file=$1/$tao_ck_name
    [ -n "$2" ] || tao_ck_is_ours "$tao_ck_file" || continue
    if tao_ck_is_whole "$tao_ck_file" && tao_ck_is_settled "$tao_ck_file"; then
      printf '%s\n' "$tao_ck_file"
      return
    fi
    tao_ck_say "$tao_ck_file is not proved whole; nothing resumes from it"
  done
}

# Of this job's folders, the one that has the newest.
tao_ck_own() {
  tao_ck_folders_of | while IFS= read -r tao_ck_folder; do tao_ck_newest "$tao_ck_folder" ''; done |
    LC_ALL=C awk -F / '{ name = $NF; gsub(/[^0-9]+/, " ", name); n = split(name, part, " "); m = part[1] + 0
      if (NR == 1 || m >= best) { best = m; line = $0 } } END { if (NR) print line }'
}

# The checkpoint that a person named, or the newest whole one of the directory.
tao_ck_named() {
  if [ -d "$1" ] && [ "$tao_ck_whole" != ranks ]; then
    tao_ck_newest "$1" any
  elif [ -e "$1" ] && { [ "$tao_ck_whole" = - ] || tao_ck_is_whole "$1"; } && tao_ck_is_settled "$1"; then
    printf '%s\n' "$1"
  fi
}

# Points the link that training follows by itself to what was chosen, or takes it away.
tao_ck_point() {
  [ "$tao_ck_latest" != - ] || return 0
  for tao_ck_link in "$tao_ck_train"/*_latest.pth; do
    if [ -L "$tao_ck_link" ]; then
      [ -n "$1" ] && [ "$tao_ck_link" -ef "$1" ] || rm -f -- "$tao_ck_link"
    elif [ -e "$tao_ck_link" ]; then
      mv -f -- "$tao_ck_link" "$tao_ck_link.before"
    fi
  done
  [ -n "$1" ] || return 0
  tao_ck_link=$tao_ck_train/$tao_ck_latest
  [ ! -L "$tao_ck_link" ] || return 0
  tao_ck_to=$1
  case $1 in "$tao_ck_train"/*) tao_ck_to=${1#"$tao_ck_train"/} ;; esac
  mkdir -p -- "$tao_ck_train" && ln -s -- "$tao_ck_to" "$tao_ck_link" 2> /dev/null || [ -L "$tao_ck_link" ] ||
    tao_ck_say "the link $tao_ck_link cannot be made"
}

# A network that takes the greatest name by itself cannot be told to start anew, nor be kept from a half-written one.
tao_ck_left() {
  [ "$tao_ck_latest" = = ] || return 0
  tao_ck_greatest=$(tao_ck_in "$tao_ck_train" | tail -n 1)
  [ -n "$tao_ck_greatest" ] || return 0
  if [ "$tao_ck_resume" = never ] || ! tao_ck_is_ours "$tao_ck_train/$tao_ck_greatest"; then
    tao_ck_say "this network resumes from the greatest checkpoint in $tao_ck_train, and the one there is not to be resumed from: give the job its own results directory"
    exit 66
  fi
  tao_ck_say "this network resumes from $tao_ck_greatest automatically; whether it is whole cannot be proved"
}

tao_ck_choose() {
  TAO_RESUME_CHECKPOINT=
  tao_ck_begin
  case $tao_ck_resume in
    never) ;;
    auto) TAO_RESUME_CHECKPOINT=$(tao_ck_own) ;;
    *)
      TAO_RESUME_CHECKPOINT=$(tao_ck_own)
      [ -n "$TAO_RESUME_CHECKPOINT" ] || TAO_RESUME_CHECKPOINT=$(tao_ck_named "$tao_ck_resume")
      if [ -z "$TAO_RESUME_CHECKPOINT" ]; then
        tao_ck_say "ERROR: there is no whole checkpoint of this network at $tao_ck_resume; the command was not started"
        exit 66
      fi ;;
  esac
  tao_ck_left
  tao_ck_point "$TAO_RESUME_CHECKPOINT"
  [ -z "$TAO_RESUME_CHECKPOINT" ] || tao_ck_say "resuming from $TAO_RESUME_CHECKPOINT"
}

tao_ck_tell() {
  export TAO_RESUME_CHECKPOINT
  tao_resume_1= tao_resume_2=
  [ -n "$TAO_RESUME_CHECKPOINT" ] && [ "$tao_ck_arguments" != - ] || return 0
  [ -n "$tao_ck_told$tao_ck_latest" ] && [ "$tao_ck_told$tao_ck_latest" != - ] ||
    tao_ck_say "WARNING: this network resumes by an argument alone, and the command has no {resume}: it starts from the beginning"
  tao_resume_1=${tao_ck_arguments%% *}
  case $tao_ck_arguments in *' '*) tao_resume_2=${tao_ck_arguments#* } ;; esac
  case $tao_resume_1 in *@) tao_resume_1=${tao_resume_1%@}$TAO_RESUME_CHECKPOINT ;; esac
  case $tao_resume_2 in *@) tao_resume_2=${tao_resume_2%@}$TAO_RESUME_CHECKPOINT ;; esac
}

# ---- which of them stay ----
# Reads "E NAME" lines, whole ones, oldest first, on standard input and prints the names to remove. Of an epoch without a value of the
# metric nothing is known: it stays as long as no later epoch has one. Where no epoch has one, all stay.
tao_ck_surplus() {
  TAO_CK_METRIC=$tao_ck_metric LC_ALL=C awk -v last="$tao_ck_last" -v sign="$tao_ck_sign" '
    function number(text, key,   at, rest) {
      at = index(text, "\"" key "\":"); if (!at) return ""
      rest = substr(text, at + length(key) + 3); sub(/^[ "]*/, "", rest)
      return match(rest, /^-?[0-9]+([.][0-9]*)?([eE][-+]?[0-9]+)?/) ? substr(rest, RSTART, RLENGTH) : ""
    }
    !files {
      if (index($0, "\"STARTED\"")) pending = ""
      if (index($0, "metrics generated.") || index($0, "metrics skipped.")) {
        if (number($0, ENVIRON["TAO_CK_METRIC"]) != "") pending = number($0, ENVIRON["TAO_CK_METRIC"])
      } else if (number($0, "epoch") != "" && pending != "") {
        score[number($0, "epoch") + 0] = pending + 0; judged[number($0, "epoch") + 0] = 1
        if (number($0, "epoch") + 0 > latest) latest = number($0, "epoch") + 0
        pending = ""
      }
      next
    }
    { epoch[++n] = $1 + 0; name[n] = substr($0, index($0, " ") + 1) }
    END {
      for (i = 1; i <= n; i++) if (epoch[i] in judged && (!some || sign * score[epoch[i]] >= best)) { some = 1; best = sign * score[epoch[i]]; at = epoch[i] }
      if (ENVIRON["TAO_CK_METRIC"] != "" && !some) exit
      for (i = 1; i <= n - last; i++) {
        if (some && epoch[i] == at) continue
        if (ENVIRON["TAO_CK_METRIC"] != "" && !(epoch[i] in judged) && epoch[i] > latest) continue
        print name[i]
      }
    }' "$@" files=1 -
}

# One look at a folder. Only what was whole and of the same size a look before is counted, and what a link leads to is never removed.
tao_ck_prune() {
  tao_ck_now=$(tao_ck_in "$1" | while IFS= read -r tao_ck_name; do
    [ -f "$1/$tao_ck_name" ] && tao_ck_is_ours "$1/$tao_ck_name" && tao_ck_is_whole "$1/$tao_ck_name" || continue
    tao_ck_number=${tao_ck_name#"${tao_ck_name%%[0-9]*}"}
    printf '%s %s %s\n' "${tao_ck_number%%[!0-9]*}" "$tao_ck_name" "$(tao_ck_size "$1/$tao_ck_name")"
  done)
  set -- "$1" "$1/status.json"
  [ -n "$tao_ck_metric" ] && [ -f "$2" ] || set -- "$1"
  tao_ck_folder=$1
  shift
  printf '%s\n' "$tao_ck_now" | while read -r tao_ck_epoch tao_ck_name tao_ck_bytes_now; do
    [ -n "$tao_ck_name" ] || continue
    case "
$tao_ck_seen
" in *"
$tao_ck_epoch $tao_ck_name $tao_ck_bytes_now
"*) printf '%s %s\n' "$tao_ck_epoch" "$tao_ck_name" ;; esac
  done | tao_ck_surplus "$@" | while IFS= read -r tao_ck_name; do
    for tao_ck_link in "$tao_ck_folder"/*_latest.pth; do
      if [ "$tao_ck_link" -ef "$tao_ck_folder/$tao_ck_name" ]; then tao_ck_name=; break; fi
    done
    [ -n "$tao_ck_name" ] || continue
    rm -f -- "$tao_ck_folder/$tao_ck_name" "$tao_ck_folder/${tao_ck_name%.*}-EMA.${tao_ck_name##*.}" &&
      tao_ck_say "removed the checkpoint $tao_ck_folder/$tao_ck_name"
  done
  tao_ck_seen=$tao_ck_now
}

# Looks now and then until the shell of the command is gone.
tao_ck_keep() {
  [ "$tao_ck_last" -gt 0 ] && [ "$tao_ck_whole" = zip ] || return 0
  tao_ck_seen=
  tao_ck_rest=0
  while kill -0 "$1" 2> /dev/null; do
    if [ "$tao_ck_rest" -le 0 ]; then
      tao_ck_prune "$tao_ck_kept"
      tao_ck_rest=${tao_ck_every:-60}
    fi
    sleep 1
    tao_ck_rest=$((tao_ck_rest - 1))
  done
}

tao_ck_node=${TAO_NODE_RANK:-${NODE_RANK:-${JOB_COMPLETION_INDEX:-${LEPTON_JOB_WORKER_INDEX:-0}}}}
tao_ck_kept=$tao_ck_train
[ "$tao_ck_folders" != . ] || tao_ck_kept=$tao_ck_root
if command -v awk > /dev/null && command -v od > /dev/null; then
  tao_ck_choose
  tao_ck_tell
  if [ "$tao_ck_node" = 0 ] && [ "$tao_ck_last" -gt 0 ]; then
    # No child of this shell, whose command may wait for all of its own.
    (tao_ck_keep $$ < /dev/null > /dev/null &)
  fi
else
  TAO_RESUME_CHECKPOINT= tao_resume_1= tao_resume_2=
  tao_ck_say "WARNING: awk and od are needed to look after checkpoints and are not here; the network resumes by its own rules"
fi
