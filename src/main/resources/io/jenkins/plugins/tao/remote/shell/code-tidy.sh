# Removes code that no job has used for a while, and what transfers left behind. Inputs: code_root (the directory of all code),
# code_keep (minutes since the last use), code_dry (not empty: only reports), code_used (a function: prints the ids of code that
# jobs name which may still start or run; exit code 1 when that cannot be known). Output: "code ID KIBIBYTES" for each.
code_tidy() {
  cd "$code_root" 2> /dev/null || return 0
  code_now=$(code_used) || return 0
  # A tree that was taken aside when this was killed is in nobody's use: its name is gone.
  for code_part in *.gone; do code_ours "$code_part" && code_remove "$code_part"; done
  for code_part in $(find . -maxdepth 1 -name '*.part' -mmin "+$code_keep" 2> /dev/null); do
    code_ours "${code_part#./}" && code_remove "$code_part"
  done
  for code_id in $(find . -maxdepth 1 -type d -name '????????????????????????????????????????' -mmin "+$code_keep" 2> /dev/null); do
    code_id=${code_id#./}
    code_ours "$code_id" || continue
    case " $(echo $code_now) " in *" $code_id "*) continue ;; esac
    code_size=$(du -sk "$code_id" 2> /dev/null)
    [ -n "$code_dry" ] || code_take "$code_id" || continue
    printf 'code %s %s\n' "$code_id" "${code_size%%[!0-9]*}"
  done
}

# Whether a name begins with the id of code: beside them lie the trees that people have pushed, by their own names.
code_ours() {
  case ${1%%.*} in *[!0-9a-f]*) return 1 ;; ????????????????????????????????????????) return 0 ;; *) return 1 ;; esac
}

# Takes the tree aside first. A job notes what it uses before it looks for it: either the note is seen here, or the job is refused.
code_take() {
  mv -T -- "$1" "$1.gone" 2> /dev/null || return 1
  if ! code_now=$(code_used) || case " $(echo $code_now) " in *" $1 "*) true ;; *) false ;; esac; then
    [ -e "$1" ] || mv -T -- "$1.gone" "$1"
    return 1
  fi
  code_remove "$1.gone"
}

code_remove() {
  [ -n "$code_dry" ] || [ ! -d "$1" ] || { chmod -R u+w "$1" 2> /dev/null; rm -rf -- "$1"; }
}
