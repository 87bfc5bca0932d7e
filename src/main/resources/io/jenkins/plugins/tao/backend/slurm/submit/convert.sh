# Sees to it that the image's squash file is there, or that a job which makes it is under way: then its id is in import.
# Expects, beside what submit.sh expects, the function whole. Two submissions of one image share one conversion.
convert() {
  import=
  recipe=$base/sbatch/import_$key.sbatch
  [ -e "$recipe" ] || return 0
  eval "$(sed -n -e '/^tao_sqsh=/p' -e '/^tao_image=/p' -e '/^tao_fresh=/p' "$recipe")"
  [ "$attempt" = 1 ] && [ ! -e "$mark.import" ] || tao_fresh=
  told=$(umask "$mask" && mkdir -p "${tao_sqsh%/*}" 2>&1) || fail stage "$told"
  read -r of 2> /dev/null < "$tao_sqsh.image" || of=$tao_image
  [ "$of" = "$tao_image" ] || fail foreign "$tao_sqsh $of"
  tries=0
  until [ -z "$tao_fresh" ] && whole "$tao_sqsh"; do
    if mkdir "$tao_sqsh.lock" 2> /dev/null; then import_image; return; fi
    read -r import 2> /dev/null < "$tao_sqsh.lock/id" || import=
    if [ -n "$import" ]; then
      under_way && return
      import=
      forget_conversion
    elif [ -n "$(find "$tao_sqsh.lock" -maxdepth 0 -mmin +2 2> /dev/null)" ]; then
      forget_conversion
    fi
    tries=$((tries + 1))
    [ -d "$tao_sqsh.lock" ] || [ "$tries" -le 15 ] || fail stage "cannot write in ${tao_sqsh%/*}"
    [ "$tries" -le 15 ] || fail busy
    [ ! -d "$tao_sqsh.lock" ] || sleep 1
  done
}

# Only a job that still lives is waited for: afterok of one that Slurm has forgotten is taken as satisfied by some.
under_way() {
  state=$(squeue -h -j "$import" -o '%T' 2>&1) || case $state in
    *'Invalid job id'*) return 1 ;;
    *) say away; printf '%s\n' "$state"; exit 0 ;;
  esac
  [ -n "$state" ] || return 1
  put "$mark.import" "$import"
}

forget_conversion() { mv "$tao_sqsh.lock" "$tao_sqsh.lock.$$" 2> /dev/null && rm -rf "$tao_sqsh.lock.$$"; }

# The lock is ours. A conversion whose id nobody could note is found by its name.
import_image() {
  held=$tao_sqsh.lock
  label=$(sed -n 's/^#SBATCH --job-name=//p' "$recipe")
  import=$(squeue -h -u "$(id -un)" --name="$label" -o '%A' 2>&1) || { say away; printf '%s\n' "$import"; exit 0; }
  import=${import%%"$nl"*}
  if [ -z "$import" ]; then
    answer=$(umask "$mask"; unset NGC_KEY NGC_API_KEY NGC_CLI_API_KEY
      sbatch --parsable --export=ALL "$recipe" 2>&1 < /dev/null) || { say import; printf '%s\n' "$answer"; exit 0; }
    read_id
    import=$id
    id=
    [ -n "$import" ] || { say odd; printf '%s\n' "$answer"; exit 0; }
  fi
  (umask "$mask"; printf '%s\n' "$import" > "$held/id") 2> /dev/null || fail stage "cannot write $held/id"
  held=
  put "$mark.import" "$import"
}

# What the job waits for: what its script says, and the conversion. sbatch takes one such option only.
waits() {
  own=$(sed -n 's/^#SBATCH --dependency=//p' "$script" | head -n 1)
  printf '%s' "--dependency=${own:+$own,}afterok:$import"
}

# A note in place of the one the job's frame will write, so that a look at the job finds what it waits for.
note_conversion() {
  [ ! -s "$mark.import" ] || (set -C; printf 'run=0 by=import-%s\n' "$(cat "$mark.import")" \
    > "$base/exit/$key-$1") 2> /dev/null
}
