# Makes a squash file of an image: under a name of its own first, so that nobody starts half of one.
part=$tao_sqsh.$SLURM_JOB_ID.part
scratch=
tidy() {
  rm -rf "$part" ${scratch:+"$scratch"}
  [ "$(cat "$tao_sqsh.lock/id" 2> /dev/null)" != "$SLURM_JOB_ID" ] || rm -rf "$tao_sqsh.lock"
}
failed() {
  echo "tao: image conversion failed: $*" >&2
  exit 1
}
trap tidy EXIT
trap 'failed "ended by a signal, at its time limit most likely"' HUP INT TERM
unset NGC_KEY NGC_API_KEY NGC_CLI_API_KEY
if [ -z "$ENROOT_TEMP_PATH" ]; then
  scratch=${TMPDIR:-/tmp}/enroot-tao-$SLURM_JOB_ID
  mkdir -p "$scratch" && export ENROOT_TEMP_PATH="$scratch"
fi
rm -f "$part"
echo "tao: image conversion of $tao_image to $tao_sqsh begins; 5 to 30 minutes are usual"
srun --nodes=1 --ntasks=1 enroot import -o "$part" -- "$tao_source" || failed "enroot import ended with exit code $?"
whole "$part" || failed "what enroot made is not a whole squash file"
printf '%s\n' "$tao_image" > "$tao_sqsh.image" && mv -f "$part" "$tao_sqsh" || failed "cannot write $tao_sqsh"
echo "tao: image conversion complete"
