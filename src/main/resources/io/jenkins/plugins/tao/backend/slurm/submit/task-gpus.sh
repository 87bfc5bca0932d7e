# What this node tells of its GPUs, beside the command; the frame does so for the first node. Arguments: gpus.sh, the pause between two
# samples, the name of the first node. The file with the newest words lies beside the rank's notes, as nodes.sh looks for it.
tao_tell_gpus() {
  [ -n "${SLURMD_NODENAME:-}" ] && [ "$SLURMD_NODENAME" != "$3" ] || return 0
  tao_words=${tao_notes##*/}
  tao_words=${tao_notes%/*}/${tao_words%%.*}.gpu.$SLURMD_NODENAME
  env -i PATH="$PATH" LD_LIBRARY_PATH="${LD_LIBRARY_PATH-}" sh -c "$1" gpus $$ "${CUDA_VISIBLE_DEVICES-}" "$2" \
    < /dev/null 2> /dev/null > >(exec > /dev/null 2>&1; tao_keep_newest "$tao_words") &
  tao_sampler=$!
}

# Keeps what is read, of samples the last one, in file $1.
tao_keep_newest() {
  tao_facts= tao_use=
  while IFS= read -r tao_line; do
    case $tao_line in
      'node '*) tao_facts=$tao_line tao_use= ;;
      'use '*) tao_use=$'\n'$tao_line ;;
      *) tao_facts=$tao_facts$'\n'$tao_line ;;
    esac
    printf '%s\n' "$tao_facts$tao_use" > "$1.part" && mv -f "$1.part" "$1"
  done
}

